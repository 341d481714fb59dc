/** Types and helpers for the parts of a layout. A part is prepared once, then fitted into its room. */

import { disarmTags } from "../inject/fence.ts";
import { type Fitted, headOf } from "../inject/fit_lines.ts";
import { quoteLine } from "../inject/plain_markdown.ts";
import { shownPath } from "../inject/shown_path.ts";
import type { WorkState } from "../core/work_state.ts";

/** Fits a part into `room` UTF-16 code units; `above` is the text of the parts written before it. */
export type Fit = (room: number, above: string) => Fitted;

export interface Work extends WorkState {
  readonly progressLines: readonly string[];
}

export interface PartOptions {
  readonly shown: ShownText;
  /**
   * Whether the text is a record for people. A record lists all facts with their places, even those that
   * another part shows.
   */
  readonly isRecord: boolean;
  /** Whether the context also contains the client's summary, so that less detail is needed. */
  readonly isBrief: boolean;
  /** Whether the newest request has its own part. */
  readonly hasNow: boolean;
  /** Whether there is room for long quotes. */
  readonly isRoomy: boolean;
  /** Whether commands have their own part. */
  readonly hasCommands: boolean;
  /** Whether changed files and commits have their own part. */
  readonly hasChanges: boolean;
}

/** Renders session text, and remembers which text was already shown. */
export class ShownText {
  readonly projectDir: string;
  readonly #isRecord: boolean;
  #words = "";

  constructor(projectDir: string, isRecord: boolean) {
    this.projectDir = projectDir;
    this.#isRecord = isRecord;
  }

  /** Renders a line with relative paths, and disarms tags that could close a fence. */
  line(text: string): string {
    const words = disarmTags(shownPath(text, this.projectDir));
    // In Markdown for people, an unclosed comment would hide the text after it.
    return this.#isRecord ? words.replaceAll("<!--", "&lt;!--") : words;
  }

  item(text: string): string {
    return `- ${quoteLine(this.line(text))}`;
  }

  remember(text: string): void {
    this.#words += ` ${wordsOnly(text)}`;
  }

  addIfNew(text: string): boolean {
    if (occursIn(text, this.#words)) return false;
    this.remember(text);
    return true;
  }
}

const KEY_CHARS = 60;

/** Shorter text can occur by chance. */
const MIN_KEY_CHARS = 12;

/** Whether the start of a text occurs in words that {@linkcode wordsOnly} returned. */
export function occursIn(text: string, words: string): boolean {
  const start = wordsOnly(text.replace(/^"|"$/g, "")).slice(0, KEY_CHARS);
  return start.length > MIN_KEY_CHARS && words.includes(start);
}

export function wordsOnly(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

export function itemsPart(lines: readonly string[], { shown }: PartOptions): Fit {
  const items = lines.filter((line) => line !== "").map((line) => shown.item(line));
  return (room) => headOf(items, room);
}
