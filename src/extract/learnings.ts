/** Collects a session's findings, and facts that the user asked to remember. */

import { checkPattern, STATIC_CHECK } from "../core/command_names.ts";
import { planToImplement } from "../decisions/dialogs.ts";
import { commandOf, outcomeOf, passedChecks } from "../inject/outcome.ts";
import { filesEditedBy } from "../inject/edits.ts";
import { madeCommit } from "../changes/commits.ts";
import { excerptLine, inBackquotes } from "../inject/excerpt.ts";
import { lastQuestion } from "../decisions/agreement.ts";
import { CONCESSION, DENIAL, NOT_THE_CAUSE } from "../decisions/corrections.ts";
import {
  CLAIMS_PASS,
  DOES_NOT_COMPILE,
  FINDING_ANNOUNCED,
  LEARNING_STATEMENTS,
  RECONSIDERS,
} from "./learning_patterns.ts";
import { type ProseLine, readProse, sentencesIn, sentencesOf } from "../inject/prose.ts";
import { findStatement, type StatementPattern } from "../decisions/statement_pattern.ts";
import { isShortReply } from "./requirements.ts";
import { taskOf } from "../commands/check_paths.ts";
import type { Collector, FinishedCall, Origin, Said } from "../core/work_state.ts";
import { pushOnce, wordsOf } from "../inject/word_set.ts";

const MAX_LEARNINGS = 20;
const MAX_ITEMS = 80;
const MAX_PER_MESSAGE = 6;
const MAX_LEARNING_CHARS = 400;
const MAX_SENTENCE_CHARS = 500;
const MAX_CHECK_CHARS = 50;

/** A shorter sentence makes no sense on its own. */
const MIN_WORDS = 5;

/** Matches a guess, such as "it might be the cache", a plan, or a temporary state such as "not there yet". */
const GUESS =
  /^(?:if|maybe|perhaps|possibly|let me|let's|I'll|now I)\b|\b(?:might|may be|maybe|perhaps|probably|likely|could be|seems|appears|looks like|(?:is|are) expected|I suspect|I think|I guess|not sure)\b|(?:\b(?:not|no|never)|n't)\b[^.;]*\byet\b/i;

/** Matches a sentence that finds nothing wrong, such as "This is actually fine.". */
const ALL_CLEAR =
  /^(?:(?:so|ok(?:ay)?|wait|actually|but|no)[,.!\s—–-]+)*(?:the |this |that |it )?\w* ?(?:is|works|looks) (?:actually |already |indeed )*(?:fine|correct|right|as (?:expected|intended|designed))[.!]*$/i;

/** Matches a title without a verb, such as "Old Count Guard (hooks.go:821)". */
const TITLE =
  /^(?:\p{Lu}[\w-]*|of|the|for|in|and|`[^`]+`)(?: (?:\p{Lu}[\w-]*|of|the|for|in|and|`[^`]+`|\([^)]*\)))*[.!]?$/u;

/** The first sentence below this heading states the cause. */
const CAUSE_HEADING = /^(?:the )?(?:actual |real )?root cause:?$/i;

const MAX_LAST_SENTENCES = 3;

/** Matches a sentence that does not state the finding itself, such as "The cause is subtle.". */
const VAGUE =
  /\b(?:is|was) (?:these|those|exactly (?:what|as) you)\b|\b(?:clear(?:er)?|subtle|interesting|tricky|simple|obvious|different(?:ly)?|bigger|deeper|complex|elsewhere)[.!]*$/i;

const EXAMPLE = /\b(?:in|for) (?:your|this|that|the|our) example\b|\bmy example\b/i;

const NO_FINDING = /^(?:you'?re |yes\b|good\b|(?:we|I|you|it) (?:should|need|must|have to|can)\b)/i;

/** Matches the turn from a rejected cause to the real one, as in "The cause isn't the lock, it's the disk". */
const OTHER_CAUSE = /[—–;,-]\s*(?:it|but|rather)\b/i;

const CONCLUSION = /^(?:so|but|and|then|also)\b/i;

/** Matches a command that fails if the code does not compile. */
const COMPILING = checkPattern("compile", "check", "test");

const CAUSE_PATTERNS = new Set(["root cause", "the reason was", "caused by"]);

interface Finding {
  readonly text: string;
  readonly isCause: boolean;
}

interface Item {
  readonly said: Said;
  readonly words: ReadonlySet<string>;
  /** Value of `#search` when this cause was found; undefined if the finding is not a cause. */
  readonly search: number | undefined;
  readonly turn: number;
  readonly edits: number;
  /** Note that edits and then a passed check or a commit followed the cause; missing if neither followed. */
  readonly end?: string;
}

export class LearningCollector implements Collector {
  #items: Item[] = [];
  /** Number of the current search for a cause. A prompt, a commit or a passed non-static check ends it. */
  #search = 0;
  #turn = 0;
  #requestTurn = 0;
  #edits = 0;
  /** Whether the assistant's last message asks a question; a "no" then answers it and denies no finding. */
  #isAsking = false;

  prompt(text: string, from: Origin): void {
    if (!this.#isAsking && DENIAL.test(text.trimStart())) {
      this.#drop(({ search, turn }) => search !== undefined && turn === this.#turn);
    }
    this.#isAsking = false;
    this.#search++;
    this.#turn++;
    if (!isShortReply(text)) this.#requestTurn = this.#turn;
    // A plan describes future work, not findings.
    const lines = planToImplement(text) === "" ? readProse(text) : [];
    for (const finding of statedFindings(lines, "user")) this.#add(finding, from);
  }

  /**
   * Drops findings that a successful compilation refutes. After a commit or a passed non-static
   * check, adds a note to each cause that edits followed, unless the cause already has a note.
   */
  call(call: FinishedCall): void {
    const edited = filesEditedBy(call).length;
    this.#edits += edited;
    const command = call.isSidechain ? "" : commandOf(call);
    if (command === "") return;
    const outcome = outcomeOf(command, call);
    if (!outcome.isPassed) return;
    const checks = passedChecks(outcome).map(({ words }) => words);
    if (checks.some((words) => COMPILING.test(words))) {
      this.#drop(({ said, edits }) => edits === this.#edits && DOES_NOT_COMPILE.test(said.text));
    }
    const check = checks.findLast((words) => !STATIC_CHECK.test(taskOf(words)));
    const isCommitted = madeCommit(command, call);
    if (!isCommitted && check === undefined) return;
    this.#search++;
    const passed = `${inBackquotes(check ?? "", MAX_CHECK_CHARS)} passed`;
    const end = `since then: edits and ${isCommitted ? "a commit" : passed}`;
    this.#items = this.#items.map((item) =>
      item.search !== undefined && item.edits < this.#edits ? { end, ...item } : item
    );
  }

  said(text: string, from: Origin): void {
    const lines = afterDoubts(readProse(text));
    this.#isAsking = lastQuestion(lines) !== "";
    const sentences = sentencesIn(lines, "text");
    const last = this.#items.findLast(({ search }) => search !== undefined);
    if (sentences.some((one) => NOT_THE_CAUSE.test(one))) {
      this.#drop((item) => item === last);
    }
    const found = statedFindings(lines, "assistant");
    if (EXAMPLE.test(text)) return;
    // A new cause replaces an earlier cause of the same search, or the cause that the user doubted.
    if (found.some(({ isCause }) => isCause)) {
      const doubted = CONCESSION.test(text) ? this.#search - 1 : this.#search;
      this.#drop(({ search }) => search !== undefined && search >= doubted);
    }
    // Skips causes if the message concludes that nothing is wrong.
    const isFine = sentences.slice(-MAX_LAST_SENTENCES).some((one) => ALL_CLEAR.test(one));
    for (const finding of found) if (!isFine || !finding.isCause) this.#add(finding, from);
  }

  finish(): Said[] {
    return this.#items.slice(-MAX_LEARNINGS).reverse().map(({ said, end, turn, edits, search }) => {
      if (search === undefined) return said;
      const notes = [
        turn < this.#requestTurn ? "from an earlier request" : "",
        end ?? (edits < this.#edits ? "edits followed" : ""),
      ].filter((note) => note !== "");
      return notes.length === 0 ? said : { ...said, text: `${said.text} (${notes.join(", ")})` };
    });
  }

  #drop(isGone: (item: Item) => boolean): void {
    this.#items = this.#items.filter((item) => !isGone(item));
  }

  #add(finding: Finding, from: Origin): void {
    const text = excerptLine(finding.text, MAX_LEARNING_CHARS);
    // Skips text that introduces other text or that was cut inside code.
    if (text === "" || text.endsWith(":") || text.split("`").length % 2 === 0) return;
    const search = finding.isCause ? this.#search : undefined;
    const [turn, edits] = [this.#turn, this.#edits];
    const item = { said: { text, from }, words: wordsOf(text), search, turn, edits };
    pushOnce(this.#items, item, ({ said }) => said.text.length, MAX_ITEMS);
  }
}

/** With fewer doubts, a message does not count as thinking aloud. */
const MIN_DOUBTS = 2;

/** If the assistant thinks aloud, drops everything before the last sentence in which it reconsiders. */
function afterDoubts(lines: readonly ProseLine[]): readonly ProseLine[] {
  const doubts = lines.flatMap(({ kind, text }, at) =>
    kind === "text" ? sentencesOf(text).filter((one) => RECONSIDERS.test(one)).map(() => at) : []
  );
  const last = doubts.length < MIN_DOUBTS ? undefined : doubts.at(-1);
  const line = lines[last ?? -1];
  if (last === undefined || line === undefined) return lines;
  const sentences = sentencesOf(line.text);
  const from = sentences.findLastIndex((one) => RECONSIDERS.test(one));
  return [{ ...line, text: sentences.slice(from).join(" ") }, ...lines.slice(last + 1)];
}

function statedFindings(
  lines: readonly ProseLine[],
  speaker: StatementPattern["speaker"],
): Finding[] {
  const found: Finding[] = [];
  let isAnnounced = false;
  for (const { kind, text } of lines) {
    if (kind === "heading") isAnnounced = CAUSE_HEADING.test(text);
    if (kind === "heading" || kind === "rule") continue;
    for (const sentence of sentencesOf(text)) {
      if (found.length >= MAX_PER_MESSAGE) return found;
      const stated = findStatement(sentence, LEARNING_STATEMENTS, speaker);
      const isCause = (isAnnounced && !CLAIMS_PASS.test(sentence)) ||
        CAUSE_PATTERNS.has(stated?.name ?? "");
      if ((isCause || stated !== undefined) && isSelfContained(sentence)) {
        found.push({ text: sentence, isCause });
      }
      isAnnounced = speaker === "assistant" && FINDING_ANNOUNCED.test(sentence);
    }
  }
  return found;
}

function isSelfContained(sentence: string): boolean {
  const isOnlyRejected = NOT_THE_CAUSE.test(sentence) && !OTHER_CAUSE.test(sentence);
  return !isOnlyRejected && sentence.length <= MAX_SENTENCE_CHARS && !TITLE.test(sentence) &&
    sentence.split(" ").length >= MIN_WORDS &&
    ![/[?:]$/, CONCLUSION, GUESS, VAGUE, NO_FINDING].some((pattern) => pattern.test(sentence));
}
