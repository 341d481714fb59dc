import { assert } from "@std/assert";
import { projectFiles, readProject } from "./project.ts";

const FOLDER = "tests/fixtures/labels";

const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

const NEAR_LINES = 3;
/** Labels of fewer words, such as keywords, may be words of the session. */
const MIN_COPIED_WORDS = 5;

type Row = Record<string, unknown>;

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
  name: "no label copies a sentence of its session",
  ignore: !HAS_CORPUS,
  fn(): void {
    for (const [name, file] of FILES) {
      const whole = readTexts(file.session).join("\n");
      for (const [list, row] of rowsOf(file)) {
        for (const text of [row.fact, row.rationale, row.text_hint, row.note]) {
          if (typeof text !== "string" || text.split(" ").length < MIN_COPIED_WORDS) continue;
          assert(!whole.includes(text.toLowerCase()), `${name} ${list}: "${text}" is copied`);
        }
      }
    }
  },
});

function rowsOf(file: LabelFile): [list: string, row: Row][] {
  const { decisions, issues, next_steps, not_decisions } = file;
  return Object.entries({ decisions, issues, next_steps, not_decisions })
    .flatMap(([list, rows]) => rows.map((row): [string, Row] => [list, row]));
}

/** Returns lines in lower case, without ids and paths. */
function readTexts(session: string): string[] {
  return Deno.readTextFileSync(`${CORPUS}/${session}`).split("\n").map((line) => {
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
