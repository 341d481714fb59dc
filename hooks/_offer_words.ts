/** Words the offer of live shaping. Loaded once on a machine, with what shapes. */

import { grouped } from "../src/inject/bound.ts";
import { claimForGood } from "../src/inject/once.ts";
import { withMessage } from "../src/inject/output.ts";
import { shapedNotice } from "../src/inject/shaped_notice.ts";
import { DEFAULT_CONFIG } from "../src/config/schema.ts";
import { countLines } from "../src/live/marks.ts";
import { shapeText } from "../src/live/shape_text.ts";
import { joinPath } from "../src/store/paths.ts";
import type { Flood } from "./_offer.ts";

/** The largest share of an output that shaping may leave for the offer to be worth a word. */
const MAX_LEFT = 0.2;

interface Place {
  readonly projectDir: string;
  readonly configDir: string;
}

/** Adds the offer for the first output of which little would be left. */
export function offerWords(said: string, floods: readonly Flood[], place: Place): string {
  for (const { tool, text } of floods) {
    const left = leftOf(text, place);
    if (left > MAX_LEFT * text.length) continue;
    if (!claimForGood(place.configDir, "live")) return said;
    const words =
      `trimtab: this ${tool} output of ${grouped(text.length)} characters would have been ` +
      `${grouped(left)} with live shaping, which keeps the whole in a file. To switch it on: ` +
      "!trimtab live --on";
    return withMessage("PostToolBatch", said, words);
  }
  return said;
}

/** Its length with the line that says where the rest is. */
function leftOf(text: string, { projectDir }: Place): number {
  const shaped = shapeText(text, DEFAULT_CONFIG.live.max_chars);
  if (shaped === null) return text.length;
  const path = joinPath(projectDir, ".claude/trimtab/spill", "0".repeat(60));
  const notice = shapedNotice({ chars: text.length, lines: countLines(text), path });
  return notice.length + 1 + shaped.text.length;
}
