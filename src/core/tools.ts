/** Name of the argument with the text that an edit replaces. */
export const REPLACED_ARGUMENT = "old_string";

const EDIT_TEXTS = [REPLACED_ARGUMENT, "new_string"];

/** Tools that write files, with the arguments, or arguments of `edits`, that contain the text. */
export const WRITERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["Write", ["content"]],
  ["Edit", EDIT_TEXTS],
  ["MultiEdit", EDIT_TEXTS],
  ["NotebookEdit", ["new_source"]],
]);

/** Tools that start an agent. The result is the agent's report, unless the agent runs in the background. */
export const AGENT_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task"]);

/** Matches result lines with the id of an agent, or the place of its worktree or output. */
export const AGENT_HANDLE = /^(?:agentId|worktreePath|worktreeBranch|output_file): /;

/** Whether a result only confirms that an agent was started. The agent's report comes later. */
export function isAgentStarted(result: string): boolean {
  return /^(?:Async agent launched|Spawned) successfully\./.test(result);
}
