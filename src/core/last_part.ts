/** Returns the last part of a path in a transcript, which can have backslashes on any system. */
export function lastPart(path: string): string {
  return path.replace(/^.*[\\/]/, "");
}
