import { assert, assertStringIncludes } from "@std/assert";
import { emptyState } from "../../../src/extract/empty_state.ts";
import { emptyTrail } from "../../../src/extract/trail/trail.ts";
import { MAX_SUMMARISER_CHARS, summariserText } from "../../../src/saved/views/summariser.ts";
import type { WorkState } from "../../../src/core/work_state.ts";
import "../../own_config.ts";

const from = { uuid: "u", line: 1 };
const DECISION = { alternatives: [], kind: "user", from } as const;
const CHANGE = { action: "created", count: 1, first_line: null, last_line: null, from } as const;

function full(text: string, count: number): WorkState {
  const list = <T>(item: T): T[] => Array.from({ length: count }, () => item);
  return {
    ...emptyState(),
    requirements: list({ text, from }),
    decisions: list({ ...DECISION, decision: `chose ${text}`, rationale: text }),
    issues: list({ issue: text, kind: "stated", from }),
    next_steps: list({ step: text, status: "pending", from }),
    learnings: list({ text, from }),
  };
}

Deno.test("summariserText() asks for the task, decisions, issues, steps and files", () => {
  const change = { ...CHANGE, file: "/p/src/login.ts", what: "", why: "" };
  const done = { step: "Is done", status: "completed", from } as const;
  const state = full("A fact", 1);
  const next_steps = [...state.next_steps, done];
  const words = summariserText({ ...state, changes: [change], next_steps }, "/p");
  assertStringIncludes(words, "### Task\n- A fact");
  assertStringIncludes(words, "### Decisions\n- chose A fact — because A fact");
  assertStringIncludes(words, "Open issues");
  assertStringIncludes(words, "- src/login.ts");
  assert(!words.includes("Is done"), "a finished step is not a next step");
});

Deno.test("summariserText() lists the newest request as the task, then the first request", () => {
  const requirements = ["Build it", "Add a login", "Now the tests"].map((text) => ({ text, from }));
  const words = summariserText({ ...emptyState(), requirements });
  assertStringIncludes(words, "### Task\n- Now the tests\n- (first) Build it\n");
  assert(!words.includes("Add a login"));
});

Deno.test("summariserText() keeps the next step and the first request below a long request and message", () => {
  const request = `Sort the rows by name. ${"Each row holds one name. ".repeat(60)}`;
  const said = `The rows are sorted now. ${"The table holds them all. ".repeat(60)}`;
  const stopped = [`User: ${request}`, "Edit a.ts: x", `Assistant: ${said}`];
  const words = summariserText({
    ...full("A fact", 200),
    requirements: ["Build the table", request].map((text) => ({ text, from })),
    trail: { ...emptyTrail(), stopped: stopped.map((text) => ({ text, from })) },
  });
  assertStringIncludes(words, "### Task\n- Sort the rows by name.");
  assertStringIncludes(words, "\n- Next: A fact\n");
  assertStringIncludes(words, "\n- (first) Build the table\n");
});

Deno.test("summariserText() stays within its size limit, and contains facts of each kind", () => {
  for (const [text, count] of [["word ".repeat(1_000), 3], ["x", 500]] as const) {
    const words = summariserText(full(text, count));
    assert(words.length <= MAX_SUMMARISER_CHARS, String(words.length));
    for (const title of ["Task", "Decisions", "Open issues", "Next steps", "Findings"]) {
      assertStringIncludes(words, `### ${title}\n`);
    }
    assert(words.endsWith("</trimtab-data>"), "its content is fenced");
  }
});
