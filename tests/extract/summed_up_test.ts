import { assertEquals } from "@std/assert";
import { isUnsolved, itemsSince, listSummaryItems } from "../../src/extract/summed_up.ts";

const SUMMARY = `This session is being continued from a previous conversation.

Analysis:
1. Errors and fixes: to be told below.

Summary:
1. Primary Request and Intent:
   Make the login fast.

4. Errors and fixes:
   - **Import missing**
     - \`time\` was not imported
     - Fixed by adding it
   - **Timeout of 5 s:** the cache was cold; it is warmed now.

5. Problem Solving:
   The cache is keyed by user, since tokens change.

7. Pending Tasks:
   - Measure the cold start
   - Ask about the limit of tokens

8. Current Work:
   Measuring.
`;

Deno.test("listSummaryItems() lists current work, pending tasks, errors and problems, with fixed errors after open ones", () => {
  assertEquals(listSummaryItems(SUMMARY), [
    "Current work at the compaction: Measuring.",
    "Pending at the compaction: Measure the cold start",
    "Pending at the compaction: Ask about the limit of tokens",
    "Error: Timeout of 5 s: the cache was cold; it is warmed now.",
    "Fixed before the compaction: Import missing; `time` was not imported; Fixed by adding it",
    "The cache is keyed by user, since tokens change.",
  ]);
});

Deno.test("listSummaryItems() allows more text for the current work and the next step than for other items", () => {
  const words = "Fix the two errors. ".repeat(30).trim();
  const summary =
    `7. Pending Tasks:\n   - ${words}\n8. Current Work:\n   ${words}\n9. Next Step:\n   ${words}`;
  const items = listSummaryItems(summary).map((item) => [item.slice(0, 4), item.length > 600]);
  assertEquals(items, [["Curr", true], ["Next", true], ["Pend", false]]);
});

Deno.test("listSummaryItems() labels an error as fixed if the summary describes what was done about it", () => {
  const labels = (...errors: string[]): string[] =>
    listSummaryItems(`4. Errors and fixes:\n${errors.map((one) => `   - ${one}`).join("\n")}\n`)
      .map((text) => text.split(":", 1)[0] ?? "");
  const fixed = [
    "No checkpoints shown: Increased the limit from 50 to 200",
    "Stale lock: removed it",
    "undefined: log: Changed to `logger`",
  ];
  assertEquals(labels(...fixed), fixed.map(() => "Fixed before the compaction"));
  const open = [
    "Lint: failed on a.ts",
    "Port 80: still blocked by a firewall",
    "Syntax error: unexpected token in parser.ts",
    "Timeout: exceeded 30 s in the upload test",
    "Upload: increased latency on Windows",
    "Flaky login test needs to be fixed",
    "Module 'foo' could not be resolved by Vite",
    "The race in the cache has not been fixed",
  ];
  assertEquals(labels(...open), open.map(() => "Error"));
});

Deno.test("listSummaryItems() reads headings of any style, and returns nothing without content", () => {
  const begins = "None of them ran on staging; run them";
  const rows: readonly (readonly [text: string, ...tasks: string[]])[] = [
    ["## Pending Tasks\n- Ship it\n\n## Current Work\n- None", "Ship it"],
    ["## 7. Pending Tasks\n1. Ship it\n2. Tell them", "Ship it", "Tell them"],
    ["**Pending Tasks:**\n- Ship it", "Ship it"],
    ["7. Pending Tasks:\n   **Later:**\n   - Ship it", "Ship it"],
    ["7. Pending Tasks:\n   - None explicitly pending\n"],
    [`7. Pending Tasks:\n - ${begins}`, begins],
    ["7. Pending Tasks:\n   No pending tasks.\n4. Errors and fixes:\n   N/A"],
    [
      "7. Pending Tasks:\n   - Ship it\n\nIf you need specific details from before compaction (like code), " +
      "read the full transcript at: /p/x.jsonl\nContinue the conversation from where it left off.",
      "Ship it",
    ],
    ["Everything about pending tasks was said."],
    [""],
  ];
  for (const [text, ...tasks] of rows) {
    const expected = tasks.map((task) => `Pending at the compaction: ${task}`);
    assertEquals(listSummaryItems(text), expected, text);
  }
});

Deno.test("itemsSince() drops pending runs that passed, root causes after two requests, and current work once work follows", () => {
  const left = (item: string, requests = 0): string[] =>
    itemsSince([item], {
      passed: new Set(["npm run lint", "npm test"]),
      named: new Set(["handleAmend", "lastCheckpoint"]),
      requests,
    });
  const kept = [
    "Pending at the compaction: Run `npm run build && npm test`",
    "Pending at the compaction: Add a test, then run `npm test`",
    "Pending at the compaction: Re-run the full test suite",
    "Pending at the compaction: Update `handleAmend` and `otherName`",
    "Fixed before the compaction: The lock is held; Root cause: a race; Fix: a mutex",
  ];
  for (const item of kept) assertEquals(left(item), [item]);
  for (const item of ["Re-run (`npm run lint && npm test`)", "After that: run `npm test`"]) {
    assertEquals(left(`Pending at the compaction: ${item}`), [], item);
  }
  const current = [
    "Current work at the compaction: Measuring.",
    "Next step at the compaction: Ship it",
    "In progress: the import is slow; the index may be missing",
  ];
  for (const item of current) assertEquals(left(item), [], "work followed");
  const idle = { passed: new Set<string>(), named: new Set<string>(), requests: 0 };
  assertEquals(itemsSince(current, idle), current);
  const update = "Pending at the compaction: Update `handleAmend` for `lastCheckpoint`";
  const since = "(edits since then mention `handleAmend` and `lastCheckpoint`)";
  assertEquals(left(update), [`${update} ${since}`]);
  assertEquals(left(`${update} of someOtherName`), [`${update} of someOtherName ${since}`]);
  const fixed = "Fixed before the compaction: The lock is held;";
  assertEquals(left(`${fixed} Root cause: a race; Fix: a mutex`, 2), [`${fixed} Fix: a mutex`]);
  for (const item of ["Root cause: the lock is held.", "Error: Root cause: a race"]) {
    assertEquals(left(item, 2), []);
  }
});

Deno.test("itemsSince() notes edits that mention two names of a task, or its only name", () => {
  const [both, one] = ["openRows and closeRows", "openRows"].map((names) =>
    `Pending at the compaction: Rename ${names}`
  );
  const after = (item: string | undefined, ...named: string[]): string[] =>
    itemsSince([item ?? ""], { passed: new Set(), named: new Set(named), requests: 0 });
  const noted = "(edits since then mention `openRows` and `closeRows`)";
  assertEquals(after(both, "openRows", "closeRows"), [`${both} ${noted}`]);
  assertEquals(after(both, "openRows"), [both]);
  assertEquals(after(one, "openRows"), [`${one} (edits since then mention \`openRows\`)`]);
  assertEquals(after("Rename it", "openRows"), ["Rename it"]);
});

Deno.test("itemsSince() keeps current work only until a request, a passed check or an edit follows", () => {
  const item = "Current work at the compaction: Measuring.";
  const none = { passed: new Set<string>(), named: new Set<string>(), requests: 0 };
  assertEquals(itemsSince([item], none), [item]);
  const changes = [{ requests: 1 }, { passed: new Set(["npm test"]) }, {
    named: new Set(["open"]),
  }];
  for (const change of changes) assertEquals(itemsSince([item], { ...none, ...change }), []);
});

Deno.test("isUnsolved() accepts pending tasks, and errors that are not fixed", () => {
  const open = ["Pending at the compaction: x", "Error: it fails", "Error: fixed, but still slow"];
  assertEquals(open.filter((item) => !isUnsolved(item)), []);
  const others = ["It fails", "Error: it fails: fixed by a retry", "Error: lock: Removed the lock"];
  assertEquals(others.filter(isUnsolved), []);
});
