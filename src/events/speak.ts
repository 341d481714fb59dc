/** Writes the findings about the window. Loaded only when there is something to say. */

import type { ContextConfig } from "../config/schema.ts";
import { pressureText } from "../gauge/advice.ts";
import { claimWarning } from "../gauge/claim.ts";
import type { PressureNews } from "../gauge/watch.ts";
import { claimNotice } from "../inject/once.ts";
import { hookOutput } from "../inject/output.ts";
import type { StateOwner } from "../store/state.ts";
import { freedOf } from "./known_freed.ts";

interface Findings {
  readonly event: string;
  readonly owner: StateOwner;
  readonly transcript: string;
  readonly config: ContextConfig;
  /** News about the window. */
  readonly news: PressureNews | null;
  /** Problems of the configuration. */
  readonly notice: string | null;
  readonly posted: string | null;
}

/** Writes those findings that no other hook has reported. */
export async function speak(findings: Findings): Promise<string> {
  const { event, owner, notice, posted } = findings;
  const warning = await warningOf(findings);
  const messages = [
    ...notice !== null && claimNotice(owner, "config") ? [notice] : [],
    ...warning?.isRise ? [warning.text] : [],
  ];
  const context = [
    ...(warning === null ? [] : [warning.text]),
    ...(posted === null ? [] : [posted]),
  ];
  return hookOutput({ event, context, message: messages.join("\n") });
}

async function warningOf(
  { owner, transcript, config, news }: Findings,
): Promise<{ text: string; isRise: boolean } | null> {
  const claimed = news === null ? null : claimWarning(owner, news);
  if (news === null || claimed === null) return null;
  const { pressure } = news;
  const { level, isRise, state } = claimed;
  const freed = await freedOf({ owner, transcript, tokens: pressure.tokens ?? 0, config, state });
  return { text: pressureText(pressure, level, freed), isRise };
}
