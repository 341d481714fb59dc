/**
 * Short functions to write an assistant's turns and hooks.
 *
 * @module
 */

import type { ScriptedBlock } from "../bed/mock_api.ts";

/** A long text, so that an attachment outweighs the client's words around it. */
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

/** A thinking block, which the mock signs. */
export function think(thinking: string): ScriptedBlock {
  return { type: "thinking", thinking };
}

/** A hook in the format of settings that runs a command. */
export function printingHook(command: string): Record<string, unknown> {
  return { hooks: [{ type: "command", command }] };
}

/** A hook that adds context in the client's JSON format. */
export function speakingHook(hookEventName: string, words: string): Record<string, unknown> {
  const output = { hookSpecificOutput: { hookEventName, additionalContext: words } };
  return printingHook(`echo '${JSON.stringify(output)}'`);
}
