import { shortId } from "../src/core/marks.ts";
import type { Client, CompactAnswer } from "../src/inside/client.ts";
import { countLosses } from "../src/inside/losses.ts";
import { changeRows } from "../src/inside/rows.ts";
import { limitOf, measure, type RunningSession } from "../src/inside/trim.ts";
import { dropTurns } from "../src/inside/turns.ts";
import { cacheText, describeDrop, TRIM_MARK } from "../src/inside/words.ts";
import { isInTerminal, refusalOf } from "./_inside_plan.ts";
import { replaceConversation } from "./_inside_replace.ts";

/** In a terminal, dropping more than this percentage of the conversation needs a confirmation. */
const MAX_UNCONFIRMED_PERCENT = 33;

const HINT = ". That is more than a third of the conversation: type the command again to confirm";

/** Session and ranges of the last drop that was described but not made. */
let awaitingConfirmation: string | undefined;

export async function dropRows(
  client: Client,
  session: RunningSession,
  ranges: readonly string[],
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<CompactAnswer> {
  const { id, lines, fill, model, messages, media } = session;
  const refusal = refusalOf(messages, media.inUse);
  if (refusal !== undefined) return refusal;
  const { rows, turns } = dropTurns(session, ranges, shortId(id));
  const dropped = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  const { scale, tokens: before } = measure(lines, fill, model);
  const losses = countLosses(messages);
  const freed = (dropped + losses.thinkingTokens) * scale + media.tokens;
  const tokens = { before, after: Math.max(0, Math.round(before - freed)) };
  const text = describeDrop(turns, { tokens, limit: limitOf(fill), losses, media });
  const key = `${id} ${ranges.join()}`;
  const isLarge = dropped * scale * 100 > MAX_UNCONFIRMED_PERCENT * before;
  // A headless session is not asked to confirm, because it ends after this request.
  const needsConfirmation = isLarge && awaitingConfirmation !== key &&
    await isInTerminal(client);
  if (isDryRun || needsConfirmation) {
    awaitingConfirmation = key;
    return {
      skip: isDryRun ? `trimtab: dry run: ${text}` : `trimtab: not done yet: ${text}${HINT}`,
    };
  }
  awaitingConfirmation = undefined;
  return await replaceConversation(client, session, {
    kind: "trim",
    rows: changeRows(rows),
    dropped: turns.flatMap((turn) => turn.rows),
    message: `${TRIM_MARK} ${text}. ${cacheText(tokens)}. Undo: /trim --undo`,
    tokens,
  });
}
