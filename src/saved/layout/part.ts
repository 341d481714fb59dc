/** A part of a layout: prepared once, then fitted into the room that it gets. */

import { disarmTags } from "../../inject/fence.ts";
import { type Fitted, headOf } from "../../inject/fit_lines.ts";
import { quoteLine } from "../../inject/plain_markdown.ts";
import { shownPath } from "../../inject/shown_path.ts";
import type { WorkState } from "../../extract/work_state.ts";

/** Fits a part into a room in UTF-16 code units; `above` are the lines of the parts written before. */
export type Fit = (room: number, above: string) => Fitted;

/** The work state, with what else a save holds. */
export interface Work extends WorkState {
  /** Progress of the plan and of the work, a line each. */
  readonly progressLines: readonly string[];
}

export interface PartOptions {
  readonly shown: Shown;
  /** Whether it is a record for people: all facts with their places, including those shown elsewhere. */
  readonly isRecord: boolean;
  /** Whether what went well is worded in short. */
  readonly isBrief: boolean;
  /** Whether the newest request has a part of its own. */
  readonly hasNow: boolean;
  /** Whether changed files and commits have a part of their own. */
  readonly hasChanges: boolean;
}

/** Shows words of the session, and remembers those already shown. */
export class Shown {
  readonly projectDir: string;
  readonly #isRecord: boolean;
  #words = "";

  constructor(projectDir: string, isRecord: boolean) {
    this.projectDir = projectDir;
    this.#isRecord = isRecord;
  }

  /** Shows a line: paths without the project's folder, tags that could end a fence disarmed. */
  line(text: string): string {
    const words = disarmTags(shownPath(text, this.projectDir));
    // In Markdown that a person looks at, an open comment would hide what follows it.
    return this.#isRecord ? words.replaceAll("<!--", "&lt;!--") : words;
  }

  item(text: string): string {
    return `- ${quoteLine(this.line(text))}`;
  }

  note(text: string): void {
    this.#words += ` ${plainWords(text)}`;
  }

  /** Notes a text, and tells whether its words are new. */
  isFresh(text: string): boolean {
    const words = plainWords(text.replace(/^"|"$/g, "")).slice(0, 60);
    if (words.length > 12 && this.#words.includes(words)) return false;
    this.note(text);
    return true;
  }
}

export function plainWords(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** A part of items; if not all fit, the first stay. */
export function itemsPart(lines: readonly string[], { shown }: PartOptions): Fit {
  const items = lines.filter((line) => line !== "").map((line) => shown.item(line));
  return (room) => headOf(items, room);
}
