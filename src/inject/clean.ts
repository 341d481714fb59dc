/** Text from anywhere, made fit to stand in what the model reads. */

/** Terminal sequences: colours, cursor moves, and, where they end, titles of windows and links. */
const TERMINAL_SEQUENCES =
  // deno-lint-ignore no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

/** Control characters but the tab and the line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Unseen characters that change how others are read. Joiners and emoji marks stay: scripts need them. */
const UNSEEN = /(?![\u{200c}\u{200d}\u{fe0e}\u{fe0f}])\p{DI}|[\u{fff9}-\u{fffb}]/gu;

/** Removes terminal sequences, control characters, marks of direction and halves of characters. */
export function cleanText(text: string): string {
  return text.toWellFormed()
    .replaceAll(/\r\n?|[\u{2028}\u{2029}]/gu, "\n")
    .replaceAll(TERMINAL_SEQUENCES, "")
    .replaceAll(CONTROLS, "")
    .replaceAll(UNSEEN, "");
}

export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, " ").trim();
}
