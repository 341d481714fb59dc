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

export function recordInto(findings: Finding[]): Recorder {
  return {
    test(fact: string, verify: () => void): void {
      try {
        verify();
        findings.push({ fact, contradiction: null });
      } catch (error) {
        findings.push({ fact, contradiction: String(error) });
      }
    },
  };
}
