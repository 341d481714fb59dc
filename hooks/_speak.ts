/** Loaded only when a hook has something to say, which is seldom. */

import { claimNotice } from "../src/inject/once.ts";
import { hookOutput } from "../src/inject/output.ts";
import type { ContextConfig } from "../src/config/schema.ts";
import { pressureText } from "../src/gauge/advice.ts";
import { claimWarning } from "../src/gauge/claim.ts";
import type { PressureNews } from "../src/gauge/watch.ts";
import { reasonOf } from "../src/store/atomic.ts";
import type { StateOwner } from "../src/store/state.ts";

/** The result of a look at a session. */
interface Findings {
  readonly event: string;
  /** The project and the session. */
  readonly owner: StateOwner;
  readonly transcript: string;
  readonly config: ContextConfig;
  /** News about the window. */
  readonly news: PressureNews | null;
  /** Problems of the configuration. */
  readonly notice: string | null;
  readonly posted: string | null;
}

/** Words what a look found, as far as no other hook has said it. */
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
  const { freedOf } = await import("../src/verbs/known_freed.ts");
  const freed = await freedOf({ owner, transcript, tokens: pressure.tokens ?? 0, config, state });
  return { text: pressureText(pressure, level, freed), isRise };
}

/** Words what went wrong, once in a session. */
export function speakOfTrouble(event: string, owner: StateOwner, error: unknown): string {
  try {
    if (!claimNotice(owner, "trouble")) return "";
    const reason = reasonOf(error);
    return hookOutput({ event, message: `trimtab: cannot watch the context: ${reason}` });
  } catch {
    // Without a record of having spoken, the hook would speak with every call.
    return "";
  }
}
