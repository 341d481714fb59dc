/** Matches characters and sequences that a screen does not show. */

/** Terminal sequences: colours, cursor moves, and, where they end, titles of windows and links. */
export const TERMINAL_SEQUENCES =
  // deno-lint-ignore no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d\n]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

/** Control characters except the tab and the line feed. */
export const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Unseen characters that change how others are read. Joiners and emoji marks stay: scripts need them. */
export const UNSEEN = /(?![\u{200c}\u{200d}\u{fe0e}\u{fe0f}])\p{DI}|[\u{fff9}-\u{fffb}]/gu;
