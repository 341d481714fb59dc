/** Text from anywhere, made fit to stand in what the model reads. */

/** Terminal sequences: colours, cursor moves, and, where they end, titles of windows and links. */
const TERMINAL_SEQUENCES =
  // deno-lint-ignore no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

/** Control characters but the tab and the line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/**
 * Characters that are not seen and change how others are read: marks that turn the direction of
 * writing, and what hides between the letters of a word. Joiners and the marks of emoji stay: whole
 * scripts are written with them.
 */
const UNSEEN = /(?![\u{200c}\u{200d}\u{fe0e}\u{fe0f}])\p{DI}|[\u{fff9}-\u{fffb}]/gu;

/**
 * Takes out of a text what is no text: terminal sequences, control characters, marks that turn the
 * direction of writing, halves of characters.
 */
export function cleanText(text: string): string {
  return text.toWellFormed()
    .replaceAll(/\r\n?|[\u{2028}\u{2029}]/gu, "\n")
    .replaceAll(TERMINAL_SEQUENCES, "")
    .replaceAll(CONTROLS, "")
    .replaceAll(UNSEEN, "");
}

/** Cleans a text that must stay on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, " ").trim();
}
