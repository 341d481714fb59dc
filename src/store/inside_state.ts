/** Reads what the module inside the client wrote down of a session. */

import {
  type InsideRecord,
  insideRecordPath,
  MAX_RECORD_CHARS,
  parseInsideRecord,
} from "./inside_record.ts";
import { readOwnTextSync } from "./own_file.ts";
import type { StateOwner } from "./state.ts";

/** Reads the record of a session; an empty one where there is none. */
export function readInsideRecord({ projectDir, sessionId }: StateOwner): InsideRecord {
  const text = readOwnTextSync(insideRecordPath(projectDir, sessionId), MAX_RECORD_CHARS);
  return parseInsideRecord(text ?? "");
}
