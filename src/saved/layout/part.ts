/** A part of a layout: prepared once, then fitted into its room. */

import { disarmTags } from "../../inject/fence.ts";
import { type Fitted, headOf } from "../../inject/fit_lines.ts";
import { quoteLine } from "../../inject/plain_markdown.ts";
import { shownPath } from "../../inject/shown_path.ts";
import type { WorkState } from "../../extract/work_state.ts";

/** Fits a part into a room in UTF-16 code units; `above` is the text of the parts written before. */
export type Fit = (room: number, above: string) => Fitted;

/** The work state with further content of a save. */
export interface Work extends WorkState {
  /** Progress of the plan and of the work, one line each. */
  readonly progressLines: readonly string[];
}

export interface PartOptions {
  readonly shown: Shown;
  /** Whether the text is a record for people, with all facts and their places, even if shown elsewhere. */
  readonly isRecord: boolean;
  /** Whether to describe successes briefly. */
  readonly isBrief: boolean;
  /** Whether the newest request has a part of its own. */
  readonly hasNow: boolean;
  /** Whether changed files and commits have a part of their own. */
  readonly hasChanges: boolean;
}

/** Renders session text, and remembers which text was already shown. */
export class Shown {
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
    // In Markdown for people, an open comment would hide the text after it.
    return this.#isRecord ? words.replaceAll("<!--", "&lt;!--") : words;
  }

  item(text: string): string {
    return `- ${quoteLine(this.line(text))}`;
  }

  remember(text: string): void {
    this.#words += ` ${plainWords(text)}`;
  }

  /** Remembers a text; returns whether its words are new. */
  isFresh(text: string): boolean {
    const words = plainWords(text.replace(/^"|"$/g, "")).slice(0, 60);
    if (words.length > 12 && this.#words.includes(words)) return false;
    this.remember(text);
    return true;
  }
}

export function plainWords(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** A part with one item per line; keeps the first that fit. */
export function itemsPart(lines: readonly string[], { shown }: PartOptions): Fit {
  const items = lines.filter((line) => line !== "").map((line) => shown.item(line));
  return (room) => headOf(items, room);
}
