/** Formats strings and numbers for a report. */

import { cleanText } from "../inject/clean.ts";

export function escapeHtml(text: string): string {
  return cleanText(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

export function minuteOf(time: string | null): string {
  return time === null ? "–" : time.slice(0, 16).replace("T", " ");
}

export function shareOf(part: number, whole: number): string {
  if (!(whole > 0)) return "–";
  return part > 0 && part / whole < 0.005 ? "<1%" : `${Math.round((part / whole) * 100)}%`;
}
