/**
 * Plants facts in a session, and shows which of them remain after each trim, restore or handoff.
 *
 *     deno task canary            print the table
 *     deno task canary --write    write docs/background/canary.md
 *
 * The session is made up and ships with this file, so that other tools can be tested in the same way:
 * `canarySession()` returns its lines, and {@linkcode FACTS} lists the strings to look for in a tool's
 * output.
 */

import { idOf, jsonOf, type Line, newPlace, type Place } from "../tests/scripts/place.ts";
import { SessionBuilder, text, toolUse } from "../tests/trim/build_session.ts";

const PAGE = new URL("../docs/background/canary.md", import.meta.url);
const ID = idOf(7);
const FILLER = 30;

export interface Fact {
  readonly what: string;
  readonly text: string;
}

export const FACTS: readonly Fact[] = [
  { what: "the first request", text: "LEDGER-4471" },
  { what: "an early limit set by the user", text: "never touch migrations/0007_frozen.sql" },
  { what: "a name defined in a file read long ago", text: "reconcileBatches" },
  { what: "an exact line of a file read long ago", text: "GRACE_PERIOD_MS = 86_400_017" },
  { what: "a value in the output of an old command", text: "9f3ac1e77b" },
  { what: "the user's choice in a dialog", text: "advisory locks" },
  { what: "a call that the user refused, and the reason", text: "tools/sweep.ts instead" },
  { what: "a file that was changed", text: "src/ledger/settle.ts" },
  { what: "a commit", text: "7be41d2" },
  { what: "an open item of the todo list", text: "backfill for the old tenants" },
  { what: "the branch", text: "feature/double-entry" },
  { what: "a late limit set by the user", text: "keep the signature of settle()" },
  { what: "an exact line of a file read just now", text: "MAX_OPEN_ENTRIES = 4_099" },
  { what: "the last command that failed, and the place", text: "settle_test.ts:88" },
  { what: "the assistant's last message", text: "--dry-run on tenant 12" },
];

interface Method {
  readonly name: string;
  readonly run: (place: Place) => Promise<string>;
}

const METHODS: readonly Method[] = [
  { name: "`/trim`", run: (place) => trimmedText(place, []) },
  { name: "`/trim --depth deep`", run: (place) => trimmedText(place, ["--depth", "deep"]) },
  { name: "checkpoint", run: (place) => checkpointText(place) },
  { name: "snapshot (essential)", run: (place) => rehydratedText(place, "essential") },
  { name: "snapshot (standard)", run: (place) => rehydratedText(place, "standard") },
  { name: "handoff", run: (place) => handoffText(place) },
];

export function canarySession(cwd: string): Line[] {
  const session = new SessionBuilder();
  const call = (name: string, input: Line, content: string, more: Line = {}): void => {
    const id = `toolu_${session.lines.length}`;
    const { is_error, ...fields } = more;
    const result = { type: "tool_result", tool_use_id: id, content };
    session.assistant(id, [toolUse(id, name, input)])
      .user([is_error === true ? { ...result, is_error } : result], fields);
  };
  const read = (path: string, planted = ""): void =>
    call("Read", { file_path: `${cwd}/${path}` }, sourceOf(path, planted));

  session.user(
    "Move the ledger to double entry, see LEDGER-4471. One rule: never touch migrations/0007_frozen.sql.",
  );
  read(
    "src/ledger/batches.ts",
    "export function reconcileBatches(rows: Row[]): Batch[] {\n  const GRACE_PERIOD_MS = 86_400_017;",
  );
  call(
    "Bash",
    { command: "git log -1 --format=%H" },
    `${"log line of the build\n".repeat(60)}build 9f3ac1e77b\n`,
  );
  const questions = [{
    question: "How are writers kept apart?",
    header: "Locks",
    options: [{ label: "advisory locks", description: "Postgres keeps them" }, {
      label: "a queue",
      description: "one writer",
    }],
    multiSelect: false,
  }];
  const answers = { "How are writers kept apart?": "advisory locks" };
  call(
    "AskUserQuestion",
    { questions, answers },
    'User has answered your questions: "How are writers kept apart?"="advisory locks". You can now continue.',
    { toolUseResult: { questions, answers } },
  );
  call(
    "Bash",
    { command: "rm -rf build/cache" },
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse tools/sweep.ts instead",
    { is_error: true, toolUseResult: "User rejected tool use" },
  );
  const todos = [
    ["Split entries into debit and credit", "completed"],
    ["Write the backfill for the old tenants", "in_progress"],
  ].map(([content, status]) => ({ content, status, activeForm: content }));
  call("TodoWrite", { todos }, "Todos have been modified successfully.");
  for (let number = 0; number < FILLER; number++) read(`src/part_${number}.ts`);
  call("Edit", {
    file_path: `${cwd}/src/ledger/settle.ts`,
    old_string: "return total;",
    new_string: "return [debit, credit];",
  }, "The file has been updated.");
  call(
    "Bash",
    { command: 'git commit -am "Split entries"' },
    "[feature/double-entry 7be41d2] Split entries\n 1 file changed, 1 insertion(+), 1 deletion(-)",
  );
  session.user("Good. And keep the signature of settle() as callers know it.");
  for (let number = 0; number < 4; number++) read(`src/late_${number}.ts`);
  read("src/ledger/limits.ts", "export const MAX_OPEN_ENTRIES = 4_099;");
  call(
    "Bash",
    { command: "deno task check" },
    `${
      "ok something\n".repeat(70)
    }FAILED tests/settle_test.ts:88 expected [40, 40], got [40, 39]\n`,
    { is_error: true },
  );
  session.assistant("last", [
    text(
      "One check fails: rounding. Next I run the backfill with --dry-run on tenant 12 to see which rows it hits.",
    ),
  ]);
  const client = { cwd, sessionId: ID, version: "2.1.330", gitBranch: "feature/double-entry" };
  return session.lines.map((line) => ({ ...line, ...client }));
}

function sourceOf(path: string, planted: string): string {
  const name = path.replaceAll(/\W+/g, "_");
  const line = (n: number): string => `  const ${name}_${n} = add(rows, ${n}); // part of ${name}`;
  const lines = Array.from({ length: 44 }, (_, n) => line(n)).toSpliced(
    22,
    0,
    ...planted.split("\n"),
  );
  return lines.map((text, index) => `${String(index + 1).padStart(6)}\t${text}`).join("\n");
}

async function trimmedText(place: Place, options: readonly string[]): Promise<string> {
  const json = jsonOf(await place.call("scripts/trim.ts", [ID, "--json", ...options]));
  const path = String(json["output"]);
  // The model receives only the messages, without the client's other fields. The client also sends the branch.
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "")
    .map((line) => JSON.stringify(JSON.parse(line).message ?? "")).join("\n") +
    "branch feature/double-entry";
}

async function checkpointText(place: Place): Promise<string> {
  await place.call("scripts/checkpoint.ts", [ID, "--json"]);
  return (await place.call("scripts/restore.ts", [])).stdout;
}

async function rehydratedText(place: Place, level: string): Promise<string> {
  await place.call("scripts/snapshot.ts", [ID, "--json"]);
  return (await place.call("scripts/rehydrate.ts", ["--level", level])).stdout;
}

async function handoffText(place: Place): Promise<string> {
  const { stdout } = await place.call("scripts/rollover.ts", [ID, "--auto", "--json"]);
  const path = String(JSON.parse(stdout)["prompt_file"] ?? "");
  return path === "" ? stdout : Deno.readTextFileSync(path);
}

export async function runCanaries(): Promise<{ name: string; chars: number; kept: boolean[] }[]> {
  const results = [];
  for (const { name, run } of METHODS) {
    using place = newPlace();
    place.add(ID, canarySession(place.cwd));
    const restored = await run(place);
    const lower = restored.toLowerCase();
    const kept = FACTS.map((fact) => lower.includes(fact.text.toLowerCase()));
    results.push({ name, chars: restored.length, kept });
  }
  return results;
}

export function canaryPage(results: Awaited<ReturnType<typeof runCanaries>>): string {
  const facts = FACTS.map(({ what }, index) => {
    const lost = results.filter(({ kept }) => kept[index] !== true).map(({ name }) => name);
    return { what, lost: lost.length === results.length ? "every method" : lost.join(", ") };
  });
  const rows = facts.filter(({ lost }) => lost !== "").map(({ what, lost }) =>
    `| ${what} | ${lost} |`
  );
  const safe = facts.filter(({ lost }) => lost === "").map(({ what }) => `- ${what}`);
  const sums = results.map(({ name, kept }) => `${name} ${kept.filter(Boolean).length}`);
  return `# Canaries

${FACTS.length} facts are planted in a session of ${
    FILLER + 12
  } calls. Each method of making it smaller
or carrying it over keeps some of them: ${sums.join(", ")}. This page is generated by
\`deno task canary --write\`. The session and the facts are in \`bench/canary.ts\`, so that other tools can be tested.

${["| fact | lost by |", "| --- | --- |", ...rows].join("\n")}

Every method keeps:

${safe.join("\n")}

\`trimtab show\` prints what a trim cut; facts that are missing from restored text are in the session's file.
`;
}

if (import.meta.main) {
  const page = canaryPage(await runCanaries());
  if (Deno.args.includes("--write")) Deno.writeTextFileSync(PAGE, page);
  console.log(page);
}
