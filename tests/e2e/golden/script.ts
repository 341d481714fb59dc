/**
 * Words for writing down what an assistant does and what hooks print.
 *
 * @module
 */

import type { ScriptedBlock } from "../bed/mock_api.ts";

/** A text of some length, so that what is said weighs more than what is said around it. */
export const LONG = "The quick brown fox jumps over the lazy dog, and then it does so again. "
  .repeat(8);

/** A call of a tool. */
export function call(name: string, input: Record<string, unknown>): ScriptedBlock {
  return { type: "tool_use", name, input };
}

/** A command for the shell. */
export function bash(command: string): ScriptedBlock {
  return call("Bash", { command });
}

/** A text. */
export function say(text: string): ScriptedBlock {
  return { type: "text", text };
}

/** A thought, which the mock signs. */
export function think(thinking: string): ScriptedBlock {
  return { type: "thinking", thinking };
}

/** A hook, as settings have it, that runs a command. */
export function printingHook(command: string): Record<string, unknown> {
  return { hooks: [{ type: "command", command }] };
}

/** A hook that adds context in the form that the client asks for. */
export function speakingHook(hookEventName: string, words: string): Record<string, unknown> {
  const output = { hookSpecificOutput: { hookEventName, additionalContext: words } };
  return printingHook(`echo '${JSON.stringify(output)}'`);
}
