/**
 * Signs thinking blocks for the mock with a checksum of their text, so that any mock, in any process, can
 * detect a change of the thinking in a transcript.
 */

const PREFIX = "bW9jay1zaWduYXR1cmU";

/** Returns a signature that {@link signatureProblem} accepts for this text only. */
export function signThinking(thinking: string): string {
  return `${PREFIX}.${checksum(thinking)}.${thinking.length}`;
}

/**
 * Returns null for a valid signature. Only the mock's own signatures can be checked; others are
 * accepted, unless they are empty.
 */
export function signatureProblem(thinking: string, signature: string): string | null {
  if (!signature.startsWith(PREFIX)) return signature === "" ? "signature: Field required" : null;
  return signature === signThinking(thinking) ? null : "Invalid `signature` in `thinking` block";
}

function checksum(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + index), 0x85ebca6b);
  }
  return `${(low >>> 0).toString(36)}-${(high >>> 0).toString(36)}`;
}
