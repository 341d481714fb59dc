/** Records whether each fact about the client holds. */

export interface Finding {
  readonly fact: string;
  /** The contradicting observation; null if the fact holds. */
  readonly contradiction: string | null;
}

/** Collects findings, so that one broken fact does not hide the others. */
export interface Recorder {
  /** @param verify Throws when the fact does not hold. */
  test(fact: string, verify: () => void): void;
}

const MAX_CONTRADICTION_CHARS = 600;

export function recordInto(findings: Finding[]): Recorder {
  return {
    test(fact: string, verify: () => void): void {
      try {
        verify();
        findings.push({ fact, contradiction: null });
      } catch (error) {
        findings.push({ fact, contradiction: describe(error) });
      }
    },
  };
}

export function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // deno-lint-ignore no-control-regex
  const plain = message.replace(/\x1b\[[0-9;]*m/g, "").replace(/\n\s*\n+/g, "\n").trim();
  const chars = [...plain];
  return chars.length <= MAX_CONTRADICTION_CHARS
    ? plain
    : `${chars.slice(0, MAX_CONTRADICTION_CHARS).join("")}…`;
}
