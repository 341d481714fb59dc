/** Writes a smaller copy of a session, ready to be resumed. */

import { readConfig } from "../config/read_config.ts";
import { locateSession, type PlaceOptions } from "./place.ts";
import { trimAt, type TrimAtOptions, type TrimResult } from "./trim_at.ts";

export type { TrimAtOptions, TrimResult } from "./trim_at.ts";
export type { TrimChoices } from "../trim/trim_options.ts";

/** Which session to trim, and how. */
export interface TrimOptions extends PlaceOptions, TrimAtOptions {
  /** The session's id, the first 8 characters of it, or the path of its transcript. */
  readonly session?: string | undefined;
}

/** Trims a session into a copy. */
export async function trim(options: TrimOptions = {}): Promise<TrimResult> {
  const place = locateSession(options.session, options);
  const { context } = await readConfig(place);
  return await trimAt(place, context, options);
}
