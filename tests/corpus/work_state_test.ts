// Compares the work states of real sessions with the results of slower, independent code, saves them in every
// form, and checks that every reference in the rendered texts points to an entry.

import { assert, assertEquals } from "@std/assert";
import { besideSummary, restoredTexts } from "../../bench/continuity.ts";
import type { WorkState } from "../../src/core/work_state.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import { lastPart } from "../../src/core/last_part.ts";
import { UNSEEN_EDIT } from "../../src/changes/changes.ts";
import { extractState } from "../../src/extract/extract_state.ts";
import { checkSave } from "../../src/saved/check.ts";
import { contentOf, snapshotOf } from "../../src/saved/save.ts";
import { findSave } from "../../src/saved/store.ts";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { checkpointSections } from "../../src/saved/views/checkpoint_view.ts";
import { rehydratedText, REHYDRATION_LEVELS } from "../../src/saved/views/rehydrated.ts";
import { restoredText } from "../../src/saved/views/restored.ts";
import { MAX_SUMMARISER_CHARS, summariserText } from "../../src/saved/views/summariser.ts";
import { newFastFolder } from "../folder.ts";
import { partOf } from "../full.ts";
import { saveOptions } from "../saved/checkpoints.ts";
import { validateSnapshot } from "../saved/snapshot_schema.ts";
import { CORPUS, corpusTest, parseLine, sessionFiles } from "./corpus.ts";
import "../own_config.ts";

const RESTORE_CHARS = 9_000;

/** Matches the reference after an item, such as `(line 12)` or `(the user, line 12)`. */
const REFERENCE = / \((?:[a-z ]+, )?(?:line (\d+)|([0-9a-f]{8})|(entry [^)]*))\)$/gm;

/** Matches the start of text that the client generates. */
const WRAPPER = new RegExp(
  "^\\s*(?:<(?:command-|local-command|bash-|task-notification|system-reminder|ide_|agent-message|" +
    "user-prompt-submit-hook)|\\[Request interrupted|Caveat:|This session is being continued)",
);

// deno-lint-ignore no-explicit-any
type Line = any;

interface Session {
  readonly name: string;
  readonly state: WorkState;
  /** The objects of each line; see {@linkcode parseLine}. */
  readonly lines: readonly (readonly Line[])[];
}

const sessions = new Map<string, Session>();

function sessionOf(name: string): Session {
  const known = sessions.get(name);
  if (known !== undefined) return known;
  const path = `${CORPUS}/${name}`;
  const lines = Deno.readTextFileSync(path).split("\n").map(parseLine);
  const session = { name, state: extractState(path), lines };
  sessions.set(name, session);
  return session;
}

corpusTest(
  "extractState() finds nearly every file that a real session edited, and no other files",
  () => {
    const total = { edited: 0, found: 0 };
    for (const { name, state, lines } of sessionFiles.map(sessionOf)) {
      const calls = lines.flat().flatMap(callsOf);
      const edited = new Set(
        calls.filter((call) => /^(?:Multi|Notebook)?Edit$|^Write$/.test(call.name))
          .map(({ input }) => input.file_path ?? input.notebook_path),
      );
      const written = calls.map(({ input }) => String(input.command))
        .filter((command) => /\bsed -i|>|\b(?:tee|cp|mv|open)\b/.test(command)).join("\n");
      // Leaves out edits by subagents, because the calls that made them are not in this transcript.
      const found = state.changes.filter(({ what }) => what !== UNSEEN_EDIT).map(({ file }) =>
        file
      );
      const others = found.filter((file) => !edited.has(file) && !written.includes(lastPart(file)));
      assertEquals(others, [], name);
      total.edited += edited.size;
      total.found += found.length;
    }
    console.log(`  changes: ${total.found} of ${total.edited} edited files`);
    // Failed edits, and files that were deleted or restored later, are left out.
    assert(total.found >= total.edited * 0.9, `${total.found} of ${total.edited}`);
  },
);

corpusTest("extractState() returns the last todo list of a real session as its next steps", () => {
  let lists = 0;
  for (const { name, state, lines } of sessionFiles.map(sessionOf)) {
    const calls = lines.flat().flatMap(callsOf);
    const usesTasks = calls.some((call) => call.name.startsWith("Task"));
    const last = calls.findLast((call) => call.name === "TodoWrite" && call.input.todos);
    if (last === undefined || usesTasks) continue;
    lists++;
    const expected = last.input.todos.map(({ status, content }: Line) => [status, head(content)]);
    assertEquals(state.next_steps.map(({ step, status }) => [status, head(step)]), expected, name);
  }
  console.log(`  next steps: ${lists} lists`);
  assert(lists > 0);
});

/** Includes subagents' calls, which older clients record in progress entries. */
function callsOf({ message, data }: Line): Line[] {
  const { content } = message ?? data?.message?.message ?? {};
  return Array.isArray(content) ? content.filter(({ type }) => type === "tool_use") : [];
}

corpusTest("extractState() returns only the user's own text as requirements", () => {
  const total = { prompts: 0, found: 0, requirements: 0 };
  const wrong: string[] = [];
  for (const { name, state, lines } of sessionFiles.map(sessionOf)) {
    total.requirements += state.requirements.length;
    for (const { text, from } of state.requirements) {
      assert(from.line !== null);
      const isOwn = lines[from.line - 1]?.some(isPersonal) ?? false;
      if (!isOwn || WRAPPER.test(text)) wrong.push(`${name}:${from.line} ${text.slice(0, 80)}`);
    }
    // Nearly all of the newest 20 prompts with enough text must be among the requirements.
    const own = lines.flat().filter(isPersonal).map(textOf)
      .map((text) => text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "").trim())
      .filter((text) => text.length > 40 && !WRAPPER.test(text));
    const wanted = [...new Set(own.map((text) => head(text)))].slice(-20);
    total.prompts += wanted.length;
    const heads = state.requirements.map(({ text }) => head(text));
    total.found += wanted.filter((text) => heads.some((one) => one.startsWith(text))).length;
  }
  const { prompts, found, requirements } = total;
  console.log(`  requirements: ${requirements}; ${found} of ${prompts} long prompts found`);
  assertEquals(wrong, []);
  assert(found / prompts > 0.99, `${found} of ${prompts}`);
});

function head(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 40).toWellFormed();
}

function isPersonal(object: Line): boolean {
  if (object.type === "attachment") return object.attachment?.commandMode === "prompt";
  if (object.type === "queue-operation") return object.operation === "enqueue";
  if (object.type !== "user" || object.isMeta || object.isSidechain || object.isCompactSummary) {
    return false;
  }
  const { content } = object.message ?? {};
  if (typeof content === "string") return true;
  // The result of a refused call contains the text that the user typed instead.
  return (content ?? []).some((block: Line) =>
    block.type === "text" || (block.type === "tool_result" && block.is_error)
  );
}

function textOf(object: Line): string {
  if (object.type !== "user") return "";
  const { content } = object.message;
  if (typeof content === "string") return content;
  return content.flatMap((block: Line) => block.type === "text" ? [block.text] : []).join("\n");
}

corpusTest(
  "a checkpoint of every real session is verified, and its restored text contains every open step within the limit",
  () => {
    const facts = { steps: 0, stepsThere: 0, files: 0, filesThere: 0 };
    for (const { name, state } of sessionFiles.map(sessionOf)) {
      using folder = newFastFolder();
      const projectDir = folder.path;
      const place = { projectDir, configDir: `${projectDir}/config` };
      const saved = writeCheckpoint(state, saveOptions(place, { now: Date.now }));
      assertEquals([saved.verified, saved.warning], [true, undefined], name);
      assertEquals(verifyCheckpoint(saved.path).problems, [], name);
      const found = findSave(saved.id, ["checkpoint"], { projectDir });
      assert(found !== null);
      const context = restoredText(found, { projectDir, maxChars: RESTORE_CHARS });
      assert(context.length <= RESTORE_CHARS, name);
      assert(context.endsWith("\n</trimtab-data>"), name);
      assert(summariserText(state).length <= MAX_SUMMARISER_CHARS, name);
      const plain = plainOf(context);
      const open = state.next_steps.filter(({ status }) => status !== "completed");
      facts.steps += open.length;
      facts.stepsThere += open.filter(({ step }) =>
        plain.includes(plainOf(step).slice(0, 40))
      ).length;
      facts.files += state.changes.length;
      facts.filesThere +=
        state.changes.filter(({ file }) => context.includes(file.slice(file.lastIndexOf("/") + 1)))
          .length;
    }
    console.log(`  restored: ${JSON.stringify(facts)}`);
    assertEquals(facts.stepsThere, facts.steps);
    // If a session changed dozens of files, the restored text lists only the newest.
    assert(facts.filesThere / facts.files > 0.75);
  },
);

corpusTest(
  "a snapshot of every real session matches the schema, and each level keeps the headings of lower levels except Files and Git",
  () => {
    for (const { name, state } of sessionFiles.map(sessionOf)) {
      const snapshot = JSON.parse(JSON.stringify(snapshotOf(state, { name, now: new Date(0) })));
      assertEquals([validateSnapshot(snapshot), checkSave(snapshot)], [[], []], name);
      let before: string[] = [];
      for (const level of REHYDRATION_LEVELS) {
        const text = rehydratedText(snapshot, level);
        const headings = text.split("\n").filter((line) => line.startsWith("## "));
        const missing = before.filter((line) => !headings.includes(line));
        assertEquals(missing.filter((line) => !/^## (?:Files|Git)$/.test(line)), [], name);
        before = headings;
      }
    }
  },
);

function plainOf(text: string): string {
  return text.replaceAll("\\", "");
}

corpusTest("every reference in texts about real sessions points to an entry of the session", () => {
  let count = 0;
  const some = partOf(sessionFiles, 20, "real sessions whose references are checked");
  for (const { name, state, lines } of some.map(sessionOf)) {
    const entries = lines.map(([first]) => first);
    const ids = new Set(entries.map((entry) => String(entry?.uuid).slice(0, 8)));
    const active = extractState(`${CORPUS}/${name}`, { activeOnly: true });
    const texts = [state, active].flatMap((state) => [
      checkpointSections(contentOf(state), "/p"),
      ...REHYDRATION_LEVELS.map((level) => rehydratedText(snapshotOf(state), level)),
    ]);
    const restored = [...Object.values(restoredTexts(state, "/p")), besideSummary(active, "/p")];
    for (const text of [...texts, ...restored]) {
      for (const [reference, line, id] of text.matchAll(REFERENCE)) {
        count++;
        const isThere = line === undefined
          ? ids.has(id ?? "")
          : typeof entries[Number(line) - 1] === "object" ||
            // A message in the session can itself contain such a reference, for example to a line of code.
            JSON.stringify(lines).includes(`(line ${line})`);
        assert(isThere, `${name}: ${reference}`);
      }
    }
  }
  console.log(`  ${count} references`);
  assert(count > 1_000);
});
