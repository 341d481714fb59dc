/** What a trim remembers of calls: arguments that a placeholder names, and which are protected. */

import { isObject, type JsonObject } from "../transcript/entry.ts";
import { MemberWalker } from "../transcript/json_scan.ts";
import { parseRaw, type RawText } from "./edit/raw_string.ts";
import { shownArgument, usesArgument } from "./placeholder.ts";
import { PATH_ARGUMENTS } from "./protect.ts";

const MAX_ARGUMENTS = 8;

const NAMING: ReadonlySet<string> = new Set([...PATH_ARGUMENTS, "pattern", "command"]);

interface CallInputsOptions {
  keepsArguments: boolean;
  isProtected?: ((toolName: string, input: unknown) => boolean) | undefined;
}

export class CallInputs {
  readonly #options: CallInputsOptions;
  readonly #arguments = new Map<string, JsonObject>();
  readonly #protectedIds = new Set<string>();
  readonly #walker = new MemberWalker();

  constructor(options: CallInputsOptions) {
    this.#options = options;
  }

  add(id: string, toolName: string, input: unknown): void {
    const { keepsArguments, isProtected } = this.#options;
    if (isProtected?.(toolName, input) === true) this.#protectedIds.add(id);
    if (!keepsArguments || !isObject(input)) return;
    const kept: JsonObject = {};
    let count = 0;
    for (const [name, value] of Object.entries(input)) {
      if (count === MAX_ARGUMENTS) break;
      const shown = usesArgument(toolName, name) ? shownArgument(value) : undefined;
      if (shown === undefined) continue;
      kept[name] = shown;
      count++;
    }
    if (count > 0) this.#arguments.set(id, kept);
  }

  /** Adds a call by the place of its arguments; parses only those that a placeholder can name. */
  addRaw(id: string, toolName: string, raw: RawText, start: number): void {
    const walker = this.#walker;
    const { text } = raw;
    if (!walker.start(text, start, text.length)) return;
    const input: JsonObject = {};
    while (walker.next()) {
      const name = text.slice(walker.keyStart, walker.keyEnd);
      if (!NAMING.has(name) && !usesArgument(toolName, name)) continue;
      const value = parsePlain(raw, walker.valueStart, walker.skip());
      // A slice would keep the whole text in memory; a key that was parsed does not.
      if (value !== undefined) input[String(JSON.parse(`"${name}"`))] = value;
    }
    if (walker.objectEnd > 0) this.add(id, toolName, input);
  }

  inputOf(id: string): JsonObject | undefined {
    return this.#arguments.get(id);
  }

  isProtected(id: string): boolean {
    return this.#protectedIds.has(id);
  }
}

function parsePlain(raw: RawText, start: number, end: number): unknown {
  const first = raw.text[start];
  return end < 0 || first === "{" || first === "[" ? undefined : parseRaw(raw, start, end);
}
