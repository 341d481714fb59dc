/** Facts that a trim remembers of calls: arguments that a placeholder names, and protection. */

import { isObject, type JsonObject } from "../transcript/entry.ts";
import { shownArgument, usesArgument } from "./placeholder.ts";

const MAX_ARGUMENTS = 8;

interface CallInputsOptions {
  keepsArguments: boolean;
  isProtected?: ((toolName: string, input: unknown) => boolean) | undefined;
}

export class CallInputs {
  readonly #options: CallInputsOptions;
  readonly #arguments = new Map<string, JsonObject>();
  readonly #protectedIds = new Set<string>();

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

  inputOf(id: string): JsonObject | undefined {
    return this.#arguments.get(id);
  }

  isProtected(id: string): boolean {
    return this.#protectedIds.has(id);
  }
}
