/** Matches characters and sequences that a screen does not show. */

/** Matches terminal sequences: colors, cursor moves and, if terminated, window titles and links. */
export const TERMINAL_SEQUENCES =
  // deno-lint-ignore no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\x9d\n]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

export const CONTROLS = /[^\P{Cc}\t\n]/gu;

/** Matches invisible characters, except joiners and variation selectors, which ordinary text needs. */
export const UNSEEN = /(?![\u{200c}\u{200d}\u{fe0e}\u{fe0f}])\p{DI}|[\u{fff9}-\u{fffb}]/gu;
