/** Lists the facts that a compaction summary must keep. */

import { buildContext } from "../../inject/context.ts";
import type { WorkState } from "../../core/work_state.ts";
import { contentOf, workOf } from "../save.ts";
import { layout } from "../../layout/layout.ts";

export const MAX_SUMMARISER_CHARS = 2_000;

/** Short, because `/compact` prints its instructions. The facts themselves are restored afterwards. */
export const COMPACT_INSTRUCTIONS =
  "Keep in the summary: the task, decisions with their reasons, what was " +
  "refused, open issues, next steps, files changed.";

/** Room for the fence and the sentence before it, in UTF-16 code units. */
const WRAPPER_CHARS = 260;

export function summariserText(state: WorkState, projectDir = ""): string {
  const { text } = layout(workOf(contentOf(state)), {
    skin: "summariser",
    projectDir,
    room: MAX_SUMMARISER_CHARS - WRAPPER_CHARS,
  });
  if (text === "") return "";
  return buildContext([
    "Keep these facts of the session in the summary, along with everything else that matters:",
    { source: "trimtab, from the transcript", text },
  ], MAX_SUMMARISER_CHARS);
}
