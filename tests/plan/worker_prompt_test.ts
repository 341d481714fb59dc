// The prompt informs a worker about its context window.

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  CONTEXT_MANAGEMENT_INSTRUCTIONS,
  contextManagementInstructions,
  generatePrompt,
} from "../../src/plan/worker_prompt.ts";
import "../own_config.ts";

const CONFIG = { warn_threshold: 41, recommend_threshold: 52, urgent_threshold: 63 };

Deno.test("contextManagementInstructions() includes the configured thresholds", () => {
  const text = contextManagementInstructions(CONFIG);
  assertStringIncludes(text, "41%, 52% and 63%");
  for (const percent of [41, 52, 63]) assertStringIncludes(text, `**From ${percent}%**`);
  for (const percent of ["75%", "85%"]) assert(!text.includes(percent), percent);
});

Deno.test("generatePrompt() puts the section about context after the guidelines and before the steps", () => {
  const workerGuidelines = "\nUse **tabs**.\n";
  const prompt = generatePrompt({ taskRef: "#42", ghCli: "ghe", workerGuidelines, config: CONFIG });
  const places = ["#42", "Use **tabs**.", contextManagementInstructions(CONFIG), "## Steps"]
    .map((part) => prompt.indexOf(part));
  assert(places.every((place) => place >= 0));
  assertEquals(places, places.toSorted((a, b) => a - b));
  assertStringIncludes(prompt, "`ghe issue view 42`");
  assertStringIncludes(prompt, "`ghe pr create`");
  assertEquals(prompt.split("## Context Management").length, 2);
});

Deno.test("generatePrompt() leaves out empty guidelines, and accepts any reference to a task", () => {
  const prompt = generatePrompt({ taskRef: "TEAM-7", workerGuidelines: " \n" });
  assert(!prompt.includes("Guidelines"));
  assertStringIncludes(prompt, CONTEXT_MANAGEMENT_INSTRUCTIONS);
  assertStringIncludes(prompt, "Read all of TEAM-7 and");
});

Deno.test("generatePrompt() throws if the task is missing or has more than one line", () => {
  for (const taskRef of ["", "  ", "#1\n## Steps"]) {
    assertThrows(() => generatePrompt({ taskRef }), TypeError, "the task must be one line");
  }
  assertThrows(() => generatePrompt({ taskRef: "#1", ghCli: "" }), TypeError, "the command");
});
