import { assertEquals } from "@std/assert";
import { BY_HAND, OpenPlan, UNEDITED, UNRUN } from "../../src/commands/open_plan.ts";

const FROM = { uuid: "u", line: 1 };

/** Returns the commands and files that are open after `change`. */
function openIn(
  text: string,
  change: (plan: OpenPlan) => void = () => {},
  { isDraft = false, hasEdits = false } = {},
): string[] {
  const plan = new OpenPlan();
  plan.plan(text, FROM, isDraft);
  change(plan);
  return plan.finish(hasEdits).map(({ text }) =>
    text.replaceAll("`", "").replace(UNRUN, "").replace(UNEDITED, "").replace(BY_HAND, "")
  );
}

function checks(count: number): string {
  const items = Array.from({ length: count }, (_, n) => `- \`npm run test:a${n}\``);
  return ["## Verification", ...items].join("\n");
}

Deno.test("OpenPlan.plan() reads up to eight checks below their heading, after `Run:` and in shell code", () => {
  assertEquals([openIn(checks(8)).length, openIn(checks(9)).length], [8, 8]);
  assertEquals(openIn("Run `npm test` often.\n\nRun: `npm run lint`"), ["npm run lint"]);
  assertEquals(openIn("## Verification\n`npm test`\n\n## Notes\n`npm run lint`"), ["npm test"]);
  const shell = "```bash\nnpm test\ncd web\n./run.sh\n```\n```ts\nnpm run lint\n```";
  assertEquals(openIn(`## Verification\n${shell}`), ["npm test", "./run.sh"]);
  assertEquals(openIn(shell), []);
});

Deno.test("OpenPlan.finish() lists the files of a plan once one of them was edited", () => {
  const files = "## Files to modify\n- a.ts\n- b.ts: x\n### src/c.ts\n- d.ts\n## Notes\n- e.ts";
  const rest = ["b.ts", "src/c.ts", "d.ts"];
  assertEquals(openIn(files, (plan) => plan.edited("/p/a.ts")), rest);
  assertEquals(openIn(files, (plan) => plan.edited("a.ts")), rest);
  assertEquals(openIn(files, (plan) => plan.edited("/p/xa.ts")), []);
  assertEquals(openIn(files), []);
  const unchanged = "## Files to modify\n- a.ts\n- b.ts\n## Files not changed\n- c.ts";
  assertEquals(openIn(unchanged, (plan) => plan.edited("a.ts")), ["b.ts"]);
  const listed = "**Files:** `src/a.ts`, `b.ts:12`\n- Modify: `c.ts`";
  assertEquals(openIn(listed, (plan) => plan.edited("/p/b.ts")), ["src/a.ts", "c.ts"]);
  const committed = (plan: OpenPlan): void => {
    plan.edited("a.ts");
    plan.committed();
  };
  assertEquals(openIn(files, committed), []);
});

Deno.test("OpenPlan.finish() lists no checks of a draft beside other edits, or of a plan reported as done", () => {
  const [check] = openIn(checks(1));
  assertEquals(openIn(checks(1), () => {}, { isDraft: true, hasEdits: true }), []);
  assertEquals(openIn(checks(1), () => {}, { isDraft: true }), [check]);
  assertEquals(openIn(checks(1), () => {}, { hasEdits: true }), [check]);
  const after = (said: string): string[] =>
    openIn(checks(1), (plan) => {
      plan.said(said);
      plan.prompt();
    });
  assertEquals([after("All done."), after("Once it is done, I test it.")], [[], [check]]);
});

Deno.test("OpenPlan.finish() lists manual checks once a file was edited, until their command runs", () => {
  const manual = (...lines: string[]): string[] =>
    openIn(["## Verification", ...lines].join("\n"), () => {}, { hasEdits: true });
  const [open, save] = ["`app open` shows a list", "Test in the browser that it saves"];
  assertEquals(manual("1. `npm test`", `2. ${save}`, "3. No warnings"), ["npm test", save]);
  assertEquals(manual(`- **Manual test:** ${open}`), [open.replaceAll("`", "")]);
  assertEquals(manual("- Manual test in a project:", `  - ${open}`, "- Review it").length, 1);
  assertEquals(manual("Then manually test:", "", `- ${open}`, "- It saves", "Done").length, 2);
  assertEquals(openIn(`## Notes\n- Manual: ${open}`, () => {}, { hasEdits: true }), []);
  const plan = new OpenPlan();
  plan.plan(`## Verification\n- Manual: ${open}`, FROM, false);
  assertEquals([plan.finish(false).length, plan.finish(true).length], [0, 1]);
  plan.ran("cd web && app open");
  assertEquals(plan.finish(true), []);
});

Deno.test("OpenPlan.isCarriedOut is true only for a plan without open parts that was reported as done", () => {
  const plan = new OpenPlan();
  plan.said("All done.");
  assertEquals(plan.isCarriedOut, false);
  for (const [text, isCarriedOut] of [["Rename it.", true], [checks(1), false]] as const) {
    plan.plan(text, FROM, false);
    assertEquals(plan.isCarriedOut, false);
    plan.said("All done.");
    assertEquals(plan.isCarriedOut, isCarriedOut, text);
  }
});
