/** Tools whose calls write into files, and whose results only repeat the call. */
export const WRITERS: ReadonlySet<unknown> = new Set([
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
]);
