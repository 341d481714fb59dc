import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import {
  addUp,
  chooseMoments,
  type FieldRow,
  type FieldSums,
  measureField,
  type Resume,
} from "../../bench/field_measure.ts";
import { fieldPage } from "../../bench/field_page.ts";
import { faultsOf } from "../../bench/integrity.ts";
import { keepNewest } from "../../bench/newest.ts";
import { linesIn } from "../../bench/sessions.ts";
import { commandTrimmer, parseTool, type Trimmer, trimPast } from "../../bench/trimmers.ts";
import { runDeno } from "../../tools/child.ts";
import { namesIn, newFolder } from "../folder.ts";
import { SessionBuilder, text, toolUse } from "../trim/build_session.ts";

const SCRIPT = new URL("../../bench/field.ts", import.meta.url).pathname;

const FAILURE = "error: cannot settle the ledger of tenant twelve";

type Call = readonly [name: string, input: Record<string, unknown>, result: string];

function read(n: number): Call {
  return ["Read", { file_path: `/p/file_${n}.ts` }, `const balance${n} = settle(rows, ${n}, 100);`];
}

/**
 * Returns a session with 21 results, then text about the failure, an edit of file 2, a second read of
 * file 3 and calls without output.
 */
function sessionLines(): string[] {
  const reads = Array.from({ length: 20 }, (_, n) => read(n));
  const input = { file_path: "/p/file_2.ts", old_string: read(2)[2], new_string: "" };
  const idle = Array.from({ length: 18 }, (): Call => ["Bash", { command: "true" }, ""]);
  const make: Call = ["Bash", { command: "make" }, FAILURE];
  const calls: Call[] = [make, ...reads, ["Edit", input, "Changed."], read(3), ...idle];
  const session = new SessionBuilder();
  for (const [n, [name, input, content]] of calls.entries()) {
    const words = n === 21 ? "It could not settle the ledger of tenant twelve." : "Next.";
    session.assistant(`m${n}`, [text(words), toolUse(`call-${n}`, name, input)]);
    session.result(`call-${n}`, content);
  }
  return session.lines.map((line) => JSON.stringify(line));
}

function tool(name: string, change: (lines: string[]) => readonly string[]): Trimmer {
  return {
    name,
    trim: (input, output) => {
      Deno.writeTextFileSync(output, change(linesIn(input)).join("\n"));
      return { path: output };
    },
  };
}

async function withSession(use: (folder: string) => Promise<void>): Promise<void> {
  using folder = newFolder();
  Deno.writeTextFileSync(`${folder.path}/a.jsonl`, sessionLines().join("\n") + "\n");
  await use(folder.path);
}

async function rowsOf(tools: readonly Trimmer[], resume?: Resume): Promise<FieldRow[]> {
  let rows: FieldRow[] = [];
  await withSession(async (folder) => {
    const chosen = chooseMoments([`${folder}/a.jsonl`], { points: 1, minChars: 0 });
    rows = await measureField(tools, chosen, { resume });
  });
  return rows;
}

async function sumsOf(tools: readonly Trimmer[]): Promise<FieldSums[]> {
  return (await rowsOf(tools)).map(({ sessions }) => addUp(sessions));
}

Deno.test("measureField() finds no losses in a plain copy, and finds the known losses of a baseline", async () => {
  const [nothing, newest] = await sumsOf([
    tool("nothing", (lines) => lines),
    tool("newest", (lines) => keepNewest(lines, 5)),
  ]);
  assert(nothing !== undefined && newest !== undefined);
  const lost = (sums: FieldSums): number[] => [
    ...[sums.quotesLost, sums.errorsLost, sums.momentsWithLostQuote],
    ...[sums.rereads, sums.rereadsAnyway, sums.faulty],
  ];
  assertEquals([nothing.quotes, nothing.errors, nothing.points], [1, 1, 1]);
  assertEquals(nothing.before, nothing.after);
  assertEquals(lost(nothing), [0, 0, 0, 0, 0, 0]);
  assertEquals(lost(newest), [1, 1, 1, 1, 1, 0]);
  assert(newest.after < newest.before);
});

Deno.test("measureField() counts the copies that do not resume, and the page explains why", async () => {
  const tools = [tool("whole", (lines) => lines), tool("torn", (lines) => lines.slice(0, 2))];
  const resume: Resume = (copy) => Promise.resolve(copy.length > 2 ? undefined : "no messages");
  const rows = await rowsOf(tools, resume);
  const sums = rows.map(({ sessions }) => addUp(sessions));
  assertEquals(sums.map(({ tried, notResumed }) => [tried, notResumed]), [[1, 0], [1, 1]]);
  const page = fieldPage(rows, { sessions: 1, isGenerated: false });
  assertStringIncludes(page, "- torn: 1 of 1 copies do not resume: no messages");
  const untried = fieldPage(await rowsOf(tools), { sessions: 1, isGenerated: false });
  assertEquals(untried.includes("do not resume:"), false);
});

Deno.test("faultsOf() finds dropped results, missing parents, broken lines and needless rewrites", () => {
  const session = sessionLines();
  const faults = (copy: readonly string[]) => Object.values(faultsOf(session, copy));
  assertEquals(faults(session), [0, 0, 0, 0]);
  assertEquals(faults(session.map((line) => line.replace('"s"', '"t"'))), [0, 0, 0, 0]);
  assertEquals(faults(keepNewest(session, 5)), [0, 0, 0, 0]);
  const count = session.length / 2;
  const dropped = session.filter((line) => !line.includes("tool_result"));
  assertEquals(faults(dropped), [0, count, count - 1, 0]);
  assertEquals(faults([...session, '{"type":']), [1, 0, 0, 0]);
  const reordered = session.map((line) => JSON.stringify({ type: 0, ...JSON.parse(line) }));
  assertEquals(faults(reordered), [0, 0, 0, session.length]);
});

Deno.test("commandTrimmer() takes the copy from {out}, from a path in JSON, or from the changed session, else throws", () => {
  const past = sessionLines();
  const linesBy = (command: string): number =>
    trimPast(commandTrimmer("x", command), past).lines.length;
  assertEquals(linesBy("head -n 4 {in} > {out}"), 4);
  const printed = `f=$(dirname {in})/c; head -n 3 {in} > "$f"; printf '{"output":"%s"}' "$f"`;
  assertEquals(linesBy(printed), 3);
  assertEquals(linesBy("head -n 2 {in} > {in}.new; mv {in}.new {in}"), 2);
  assertThrows(() => linesBy("true {in} {out}"), Error, "did not write {out}");
  assertThrows(() => linesBy("echo no luck >&2; exit 3; {in}"), Error, "exit code 3: no luck");
  assertThrows(() => parseTool("cut {in}"), SyntaxError, "write NAME=COMMAND");
  assertThrows(() => parseTool("x=cut"), SyntaxError, "write {in} for the session");
});

Deno.test("bench:field measures the built-in tools on a folder, and writes only the page", async () => {
  using folder = newFolder();
  Deno.mkdirSync(`${folder.path}/sessions`);
  Deno.writeTextFileSync(`${folder.path}/sessions/a.jsonl`, sessionLines().join("\n") + "\n");
  const page = `${folder.path}/page.md`;
  const args = [`${folder.path}/sessions`, "--points", "1", "--page", page];
  const { code, stdout, stderr } = await runDeno(["run", "-A", SCRIPT, ...args]);
  assertEquals(code, 0, stderr);
  const rows = Deno.readTextFileSync(page).split("\n").filter((line) => line.startsWith("| "));
  assertEquals(stdout.trim(), Deno.readTextFileSync(page).trim());
  assertEquals(rows.length, 12);
  assertMatch(rows[3] ?? "", /^\| newest 5 .* 100\.0 \|$/);
  assertEquals(stdout.includes("failed at"), false, stdout);
  const names = namesIn(`${folder.path}/sessions`);
  assertEquals(names, ["a.jsonl"]);
});
