/**
 * Replaces every result except the newest with one line, as a baseline for the benches.
 *
 *     deno run --allow-read --allow-write bench/newest.ts COUNT IN OUT
 */

import { parse } from "./regret_points.ts";
import { linesIn } from "./sessions.ts";

const NOTICE = "[cut]";

export function keepNewest(lines: readonly string[], count: number): string[] {
  let seen = 0;
  return lines.toReversed().map((line) => {
    const entry = line.includes('"tool_result"') ? parse(line) : undefined;
    const content = Array.isArray(entry?.message?.content) ? entry.message.content : [];
    const cut = content.toReversed()
      .filter((block: { type?: string }) => block?.type === "tool_result" && ++seen > count);
    for (const block of cut) block.content = NOTICE;
    return cut.length > 0 ? JSON.stringify(entry) : line;
  }).reverse();
}

if (import.meta.main) {
  const [count, input, output] = Deno.args;
  if (input === undefined || output === undefined) {
    console.error("Usage: newest.ts COUNT IN OUT");
    Deno.exit(2);
  }
  Deno.writeTextFileSync(output, keepNewest(linesIn(input), Number(count)).join("\n") + "\n");
}
