/** The text that every match of an expression holds, which finds candidate lines far faster. */

/** Escapes that stand for a kind of character or for a place. */
const KINDS = "dDwWsSbBnrtfv";

/** A quantifier, with whether it may be zero times. */
const QUANTIFIER = /(?:([*?])|\+|\{(\d+)(?:,\d*)?\})\??/y;

/** Shorter texts are in every line anyway. */
const MIN_CHARS = 2;

export function requiredLiteral(pattern: string): string | null {
  const runs = [""];
  let at = 0;
  const endRun = (): void => {
    runs.push("");
  };
  while (at < pattern.length) {
    const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    let literal: string | null = null;
    if (char === "|") return null;
    if (char === "(") at = skipGroup(pattern, at);
    else if (char === "[") at = skipClass(pattern, at);
    else if (char === "\\") {
      const escaped = pattern[at + 1] ?? "";
      // Others take what follows as part of them.
      if (/[A-Za-z0-9]/.test(escaped) && !KINDS.includes(escaped)) return null;
      if (!KINDS.includes(escaped)) literal = escaped;
      at += 2;
    } else {
      if (!".^$".includes(char)) literal = char;
      at += char.length;
    }
    QUANTIFIER.lastIndex = at;
    const quantifier = QUANTIFIER.exec(pattern);
    const isOptional = quantifier !== null &&
      (quantifier[1] !== undefined || quantifier[2] !== undefined && Number(quantifier[2]) === 0);
    if (literal === null || isOptional) endRun();
    else runs.push((runs.pop() ?? "") + literal);
    if (quantifier === null) continue;
    endRun();
    at += quantifier[0].length;
  }
  const best = runs.reduce((longest, run) => run.length > longest.length ? run : longest);
  return best.length < MIN_CHARS ? null : best;
}

function skipGroup(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at < pattern.length;) {
    const char = pattern[at];
    if (char === "[") {
      at = skipClass(pattern, at);
      continue;
    }
    if (char === "(") depth++;
    if (char === ")" && --depth === 0) return at + 1;
    at += char === "\\" ? 2 : 1;
  }
  return pattern.length;
}

function skipClass(pattern: string, start: number): number {
  for (let at = start + 1; at < pattern.length; at += pattern[at] === "\\" ? 2 : 1) {
    if (pattern[at] === "]") return at + 1;
  }
  return pattern.length;
}
