import { assert, assertEquals } from "@std/assert";
import { projectFiles, readProject } from "./project.ts";

const FOLDER = "tests/fixtures/labels";

const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

const NEAR_LINES = 3;
const MAX_KEYWORDS = 4;
const MAX_WORDS = 3;

type Row = Record<string, unknown>;
type Check = (value: unknown) => boolean;

const LABEL: Record<string, Check> = { line: isLine, fact: isText, keywords: areKeywords };
const EXTRA: Record<string, Check> = { also: areLines, optional: isTrue, note: isText };

const LISTS: Record<string, { must: Record<string, Check>; may: Record<string, Check> }> = {
  decisions: { must: { ...LABEL, source: isSource, rationale: isTextOrNull }, may: EXTRA },
  issues: { must: { ...LABEL, resolved: isFalse }, may: EXTRA },
  next_steps: { must: LABEL, may: EXTRA },
  not_decisions: { must: { line: isLine, text_hint: isText, why: isText }, may: {} },
};

interface LabelFile {
  session: string;
  split: "tune" | "report";
  decisions: Row[];
  issues: Row[];
  next_steps: Row[];
  not_decisions: Row[];
}

const FILES = projectFiles(FOLDER, ["json"]).map((path) =>
  [path.slice(FOLDER.length + 1), JSON.parse(readProject(path)) as LabelFile] as const
);

const HAS_CORPUS = hasCorpus();

Deno.test("every label file has the documented shape", () => {
  assertEquals(FILES.flatMap(([name, value]) => problemsOf(name, value)), []);
});

Deno.test("eighteen labelled sessions are for tuning and five for the report", () => {
  const splits = Object.groupBy(FILES, ([, { split }]) => split);
  assertEquals([FILES.length, splits.tune?.length, splits.report?.length], [23, 18, 5]);
});

Deno.test("the labels' page counts the labels in the files", () => {
  const page = readProject(`${FOLDER}/README.md`);
  const rows = page.split("\n").filter((line) => /^\| \S+-\d\d /.test(line))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const counts = FILES.map(([name, file]) => [
    name.replace(".json", ""),
    file.split,
    ...[file.decisions, file.issues, file.next_steps].map(countOf),
    String(file.not_decisions.length),
  ]);
  // The page has an additional column with the kind of session, which no file contains.
  assertEquals(rows.map((cells) => cells.slice(0, 6)).sort(), counts.sort());
});

Deno.test("problemsOf() names each field that is missing, wrong or unknown", () => {
  const file = { session: "a.jsonl", split: "tune", issues: [], next_steps: [], not_decisions: [] };
  const good = { line: 1, fact: "f", keywords: ["k"], source: "user", rationale: null };
  assertEquals(problemsOf("a.json", { ...file, decisions: [good] }), []);
  const { fact: _, ...poor } = { ...good, line: 0, keywords: [], colour: "red" };
  assertEquals(problemsOf("a.json", { ...file, decisions: [poor] }), [
    "a.json decisions 0: line",
    "a.json decisions 0: fact",
    "a.json decisions 0: keywords",
    "a.json decisions 0: unknown colour",
  ]);
  assertEquals(problemsOf("b.json", { ...file, split: "both", decisions: {} }), [
    "b.json: session",
    "b.json: split",
    "b.json: decisions",
  ]);
});

Deno.test({
  name: "each label's line exists in its session, with its keywords on or near the line",
  ignore: !HAS_CORPUS,
  fn(): void {
    for (const [name, file] of FILES) {
      const texts = readTexts(file.session);
      for (const [list, row] of rowsOf(file)) {
        const place = `${name} ${list} at line ${row.line}`;
        for (const line of [row.line, ...(row.also as number[] | undefined ?? [])]) {
          assert(texts[Number(line) - 1], `${place}: line ${line} is not there`);
        }
        const from = Math.max(0, Number(row.line) - 1 - NEAR_LINES);
        const near = texts.slice(from, Number(row.line) + NEAR_LINES).join("\n");
        for (const keyword of (row.keywords as string[] | undefined) ?? []) {
          const words = keyword.toLowerCase().split("|");
          assert(words.some((word) => near.includes(word)), `${place}: no "${keyword}" near it`);
        }
      }
    }
  },
});

Deno.test({
  name: "a decision's source is the speaker of its line",
  ignore: !HAS_CORPUS,
  fn(): void {
    for (const [name, file] of FILES) {
      const lines = readLines(file.session);
      for (const { line, source } of file.decisions) {
        const { type } = JSON.parse(lines[Number(line) - 1] ?? "{}");
        // A prompt that was typed while the assistant worked is only in the queue.
        const speakers = source === "assistant" ? ["assistant"] : ["user", "queue-operation"];
        assert(
          speakers.includes(type),
          `${name} line ${line}: ${source} on a line of type ${type}`,
        );
      }
    }
  },
});

Deno.test({
  name: "no label copies a sentence of its session",
  ignore: !HAS_CORPUS,
  fn(): void {
    for (const [name, file] of FILES) {
      const whole = readTexts(file.session).join("\n");
      for (const [list, row] of rowsOf(file)) {
        for (const text of [row.fact, row.rationale, row.text_hint, row.note]) {
          if (typeof text !== "string" || text.split(" ").length <= MAX_WORDS + 1) continue;
          assert(!whole.includes(text.toLowerCase()), `${name} ${list}: "${text}" is copied`);
        }
      }
    }
  },
});

function problemsOf(name: string, value: unknown): string[] {
  if (!isRow(value)) return [`${name}: not an object`];
  const problems: string[] = [];
  if (value.session !== name.replace(".json", ".jsonl")) problems.push(`${name}: session`);
  if (value.split !== "tune" && value.split !== "report") problems.push(`${name}: split`);
  for (const [list, { must, may }] of Object.entries(LISTS)) {
    const rows = value[list];
    if (!Array.isArray(rows)) problems.push(`${name}: ${list}`);
    else {
      for (const [at, row] of rows.entries()) {
        problems.push(...rowProblems(row, must, may).map((p) => `${name} ${list} ${at}: ${p}`));
      }
    }
  }
  const known = ["session", "split", ...Object.keys(LISTS)];
  return [...problems, ...unknownFields(value, known).map((field) => `${name}: ${field}`)];
}

function rowProblems(
  row: unknown,
  must: Record<string, Check>,
  may: Record<string, Check>,
): string[] {
  if (!isRow(row)) return ["not an object"];
  const wrong = Object.entries({ ...must, ...may }).filter(([field, check]) =>
    field in must || field in row ? !check(row[field]) : false
  );
  const known = [...Object.keys(must), ...Object.keys(may)];
  return [...wrong.map(([field]) => field), ...unknownFields(row, known)];
}

function unknownFields(row: Row, known: readonly string[]): string[] {
  return Object.keys(row).filter((field) => !known.includes(field))
    .map((field) => `unknown ${field}`);
}

function rowsOf(file: LabelFile): [list: string, row: Row][] {
  const { decisions, issues, next_steps, not_decisions } = file;
  return Object.entries({ decisions, issues, next_steps, not_decisions })
    .flatMap(([list, rows]) => rows.map((row): [string, Row] => [list, row]));
}

function countOf(rows: readonly Row[]): string {
  const optional = rows.filter((row) => row.optional === true).length;
  return optional === 0 ? String(rows.length) : `${rows.length - optional} + ${optional}`;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLine(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0;
}

function areLines(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isLine);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function isFalse(value: unknown): boolean {
  return value === false;
}

function isSource(value: unknown): boolean {
  return ["user", "assistant", "ask_user_question", "exit_plan_mode"].includes(String(value));
}

/** A sentence would be a copy of the session's text, so keywords must be short. */
function areKeywords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.length <= MAX_KEYWORDS &&
    value.every((word) => isText(word) && String(word).split(" ").length <= MAX_WORDS);
}

function readLines(session: string): string[] {
  return Deno.readTextFileSync(`${CORPUS}/${session}`).split("\n");
}

/** Returns lines in lower case, without ids and paths. */
function readTexts(session: string): string[] {
  return readLines(session).map((line) => {
    try {
      const { message, toolUseResult, content, attachment } = JSON.parse(line);
      return strings([message?.content, toolUseResult, content, attachment, " "]).join("\n")
        .toLowerCase();
    } catch {
      // Falls back to the raw text for two entries on one line, or a torn line.
      return line.toLowerCase();
    }
  });
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

function hasCorpus(): boolean {
  const missing = FILES.map(([, { session }]) => `${CORPUS}/${session}`).find((path) => {
    try {
      return !Deno.statSync(path).isFile;
    } catch {
      return true;
    }
  });
  if (missing !== undefined) {
    console.log(`The labels are not held to their sessions: there is no ${missing}`);
  }
  return missing === undefined;
}
