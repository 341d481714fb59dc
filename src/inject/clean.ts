import { CONTROLS, TERMINAL_SEQUENCES, UNSEEN } from "../core/unseen.ts";

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
