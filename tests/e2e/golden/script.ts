/** Short functions that write an assistant's turns and hooks. */

import type { ScriptedBlock } from "../bed/mock_api.ts";

/** Much longer than the text that the client adds around an attachment. */
export const LONG = "The quick brown fox jumps over the lazy dog, and then it does so again. "
  .repeat(8);

export function call(name: string, input: Record<string, unknown>): ScriptedBlock {
  return { type: "tool_use", name, input };
}

export function bash(command: string): ScriptedBlock {
  return call("Bash", { command });
}

export function say(text: string): ScriptedBlock {
  return { type: "text", text };
}

/** Leaves the signature to the mock. */
export function think(thinking: string): ScriptedBlock {
  return { type: "thinking", thinking };
}

export function printingHook(command: string): Record<string, unknown> {
  return { hooks: [{ type: "command", command }] };
}

export function contextHook(hookEventName: string, words: string): Record<string, unknown> {
  const output = { hookSpecificOutput: { hookEventName, additionalContext: words } };
  return printingHook(`echo '${JSON.stringify(output)}'`);
}
