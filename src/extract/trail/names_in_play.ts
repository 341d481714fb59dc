/** Collects the names that the work is about, such as functions, types and issues. */

import { editedFile } from "../../inject/edits.ts";
import { patchOf } from "../../inject/patches.ts";
import { asString } from "../../transcript/entry.ts";
import { redactSecrets } from "../../secrets/redact.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import { FOUND_NOTHING } from "../../inject/telling_lines.ts";
import { SEARCH } from "../../core/shell_commands.ts";
import type { Collector, FinishedCall } from "../../core/work_state.ts";

/** Matches identifiers rather than words: `camelCase`, `snake_case`, `#12`, `ABC-12`. */
const NAME =
  /(?<![\w/.\\-])(?:[A-Za-z_][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|#\d{1,6}|[A-Z]{2,8}-\d{1,6})(?![\w-])/g;

const FIELDS = ["command", "description", "subject"] as const;

const MAX_TEXT_CHARS = 4 * 1024;

/** More text is redacted than is searched for names, because a truncated key would not be recognized. */
const MAX_SCREENED_CHARS = 64 * 1024;
const MAX_NAME_CHARS = 60;
const MIN_NAME_CHARS = 4;
const MAX_NAMES = 4_000;
const MAX_LISTED = 60;

/** The weight of a mention halves after this many messages and call arguments. */
const HALF_LIFE = 60;

/** The weight of a name that occurred once, 80 messages and arguments ago. */
const MIN_WEIGHT = 0.4;

/** Names that the client or every project uses, and the error variables of Go. */
const COMMON =
  /^(?:tool_use_id|file_path|old_string|new_string|JavaScript|TypeScript|GitHub|[a-z]\w*Err)$/;

export class NameCollector implements Collector {
  readonly #weights = new Map<string, number>();
  #growth = 1;

  prompt(text: string): void {
    this.#count(text);
  }

  said(text: string): void {
    this.#count(text);
  }

  call(call: FinishedCall): void {
    const { input, isError, isSidechain } = call;
    if (isSidechain) return;
    // A name that the project does not contain helps nobody to find anything.
    if (call.name === "Grep" && FOUND_NOTHING.test(call.result.trim())) {
      for (const [name] of (asString(input.pattern) ?? "").matchAll(NAME)) {
        this.#weights.delete(name);
      }
    }
    // Redacts before looking for names, because a part of a key could look like a name.
    for (const field of FIELDS) {
      const text = asString(input[field]) ?? "";
      if (text === "" || (field === "command" && SEARCH.test(text))) continue;
      this.#count(redactSecrets(text.slice(0, MAX_SCREENED_CHARS)));
    }
    if (!isError && editedFile(call) !== undefined) this.#countEdit(call);
  }

  finish(): string[] {
    return this.#sorted().slice(0, MAX_LISTED)
      .filter(([, weight]) => weight >= MIN_WEIGHT * this.#growth)
      .map(([name]) => excerptLine(name, MAX_NAME_CHARS));
  }

  /** Counts the names that an edit adds. Names around the edit, and names of a new file, are mostly noise. */
  #countEdit(call: FinishedCall): void {
    const { added, removed, isWholeFile } = patchOf(call);
    if (isWholeFile && removed.length === 0) return;
    const known = new Set(
      Array.from(removed.join("\n").slice(0, MAX_TEXT_CHARS).matchAll(NAME), ([name]) => name),
    );
    this.#count(redactSecrets(added.join("\n").slice(0, MAX_SCREENED_CHARS)), known);
  }

  #count(text: string, known: ReadonlySet<string> = new Set()): void {
    if (text === "") return;
    this.#growth *= 2 ** (1 / HALF_LIFE);
    const isCut = text.length > MAX_TEXT_CHARS;
    const words = text.slice(0, MAX_TEXT_CHARS).replace(isCut ? /\w+$/ : "", "");
    for (const [name] of words.matchAll(NAME)) {
      if (name.length < MIN_NAME_CHARS || name.length > MAX_NAME_CHARS) continue;
      if (COMMON.test(name) || known.has(name)) continue;
      this.#weights.set(name, (this.#weights.get(name) ?? 0) + this.#growth);
    }
    if (this.#weights.size > MAX_NAMES || this.#growth > Number.MAX_VALUE / 1e9) this.#forget();
  }

  /** Keeps the names with the highest weights, and scales all weights down before they overflow. */
  #forget(): void {
    const kept = this.#sorted().slice(0, MAX_NAMES / 2);
    this.#weights.clear();
    for (const [name, weight] of kept) this.#weights.set(name, weight / this.#growth);
    this.#growth = 1;
  }

  #sorted(): [string, number][] {
    return [...this.#weights].sort(([, a], [, b]) => b - a);
  }
}
