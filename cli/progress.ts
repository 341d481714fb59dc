/** Shows the progress of long work on a terminal. */

/** Work on a smaller file ends too soon to show progress. */
export const SHOW_PROGRESS_BYTES = 200 * 1024 * 1024;

export const PROGRESS_INTERVAL_MS = 100;

/** Width of the progress line in columns; fixed, so that each update overwrites the previous one. */
const LINE_CHARS = 20;

interface ProgressOptions {
  write(text: string): void;
  /** Returns the time in milliseconds. @default {performance.now} */
  now?: () => number;
}

export function progressLine(
  label: string,
  options: ProgressOptions,
): (done: number, total: number) => void {
  const { write, now = (): number => performance.now() } = options;
  let shownAt = now();
  let isShown = false;
  return (done, total) => {
    if (total < SHOW_PROGRESS_BYTES) return;
    if (done >= total) {
      // Clears the line, since the next output may go to another stream and would not overwrite it.
      if (isShown) write(`\r${" ".repeat(LINE_CHARS)}\r`);
      isShown = false;
      return;
    }
    const time = now();
    if (time - shownAt < PROGRESS_INTERVAL_MS) return;
    shownAt = time;
    isShown = true;
    write(`\r${`${label} ... ${Math.floor((done * 100) / total)}%`.padEnd(LINE_CHARS)}\r`);
  };
}

export function progressOnStderr(
  label: string,
): ((done: number, total: number) => void) | undefined {
  if (!Deno.stderr.isTerminal()) return undefined;
  const encoder = new TextEncoder();
  return progressLine(label, { write: (text) => void Deno.stderr.writeSync(encoder.encode(text)) });
}
