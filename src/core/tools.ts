/** Tools that write files. Their results only repeat the call. */
export const WRITERS: ReadonlySet<unknown> = new Set([
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
]);

/** Tools that start another agent, whose report is their result. */
export const AGENT_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task"]);

/** Matches the lines of a result that say how to continue an agent, and where its changes are. */
export const AGENT_HANDLE = /^(?:agentId|worktreePath|worktreeBranch|output_file): /;

/** Whether a result only says that an agent was started, which will report later. */
export function isAgentStarted(result: string): boolean {
  return result.startsWith("Async agent launched");
}
