// The skill that saves still works under its older name.

import { assertEquals } from "@std/assert";
import { readProject } from "./project.ts";

function bodyOf(skill: string): string {
  return readProject(`skills/${skill}/SKILL.md`).split("\n---\n").slice(1).join("\n---\n");
}

Deno.test("/checkpoint, the older name of /save-checkpoint, has the same instructions", () => {
  assertEquals(bodyOf("checkpoint"), bodyOf("save-checkpoint"));
});
