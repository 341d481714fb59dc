// The skill that saves has one name on all pages; its older name still works.

import { assertEquals } from "@std/assert";
import { projectFiles, readProject } from "./project.ts";

/** The designs and the pages about them may use the older name. */
const OLDER_NAME = new Set([
  "docs/background/designs.md",
  "docs/background/differences.md",
  "docs/troubleshooting.md",
  "src/plan/workflow.ts",
]);

function bodyOf(skill: string): string {
  return readProject(`skills/${skill}/SKILL.md`).split("\n---\n").slice(1).join("\n---\n");
}

Deno.test("/checkpoint is /save-checkpoint under its older name", () => {
  assertEquals(bodyOf("checkpoint"), bodyOf("save-checkpoint"));
});

Deno.test("no page tells a reader to type the older name", () => {
  const read = ["cli", "docs", "hooks", "scripts", "skills", "src"].flatMap((folder) =>
    projectFiles(folder, ["md", "ts"])
  );
  const mentioning = [...read, "README.md"].filter((path) =>
    !OLDER_NAME.has(path) &&
    /(?:^|[\s"`(])\/(?:trimtab:)?checkpoint\b(?![-/])/m.test(readProject(path))
  );
  assertEquals(mentioning, []);
});
