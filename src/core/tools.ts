/** Tools that write into files. Their results only repeat the call. */
export const WRITERS: ReadonlySet<unknown> = new Set([
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
]);
