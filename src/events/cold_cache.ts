/**
 * Says once that a trim costs nothing: when the prompt cache has expired, all is written anew anyway.
 */

import { grouped } from "../inject/bound.ts";
import { claimNotice } from "../inject/once.ts";
import { withMessage } from "../inject/output.ts";
import { isFresh, recommend } from "../gauge/advice.ts";
import { readSessionState, type StateOwner } from "../store/state.ts";
import { type ColdCache, EVENT } from "./started.ts";

/** From this share of the context on the moment is worth a word, in percent. */
const WORTH_A_WORD_PERCENT = 20;

/** Adds the word to what the hook says otherwise. */
export function withColdCache(said: string, owner: StateOwner, cache: ColdCache): string {
  const words = coldCacheWords(owner, cache);
  if (words === null || !claimNotice(owner, "cold-cache")) return said;
  return withMessage(EVENT, said, words);
}

function coldCacheWords(owner: StateOwner, { tokens, cost }: ColdCache): string | null {
  if (typeof tokens !== "number" || !Number.isSafeInteger(tokens) || tokens <= 0) return null;
  const { freed } = readSessionState(owner);
  if (!isFresh(freed, tokens)) return null;
  const { remedy, command, freed: worth } = recommend(freed, WORTH_A_WORD_PERCENT);
  if (remedy === "rollover" || worth === null) return null;
  const price = typeof cost === "number" && cost > 0 ? `, about $${cost.toFixed(2)}` : "";
  return `trimtab: the prompt cache has likely expired, so the next request writes ` +
    `${grouped(tokens)} tokens again${price}. ${command} first frees about ` +
    `${grouped(worth)} of them and costs nothing now.`;
}
