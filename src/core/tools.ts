/** Tools that write files. Their results only repeat the call. */
export const WRITERS: ReadonlySet<unknown> = new Set([
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
]);

/** Tools that start another agent, whose report is their result. */
export const AGENT_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task"]);

/** Whether a result only says that an agent was started, which will report later. */
export function isAgentStarted(result: string): boolean {
  return result.startsWith("Async agent launched");
}
