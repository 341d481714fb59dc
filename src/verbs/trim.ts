import { readConfig } from "../config/read_config.ts";
import { locateSession, type SessionOptions } from "./place.ts";
import { trimAt, type TrimAtOptions, type TrimResult } from "./trim_at.ts";

export type { TrimAtOptions, TrimResult } from "./trim_at.ts";
export type { TrimChoices } from "../trim/trim_options.ts";

/** The session to trim, and options for the trim. */
export type TrimOptions = SessionOptions & TrimAtOptions;

export async function trim(options: TrimOptions = {}): Promise<TrimResult> {
  const place = locateSession(options);
  const { context } = await readConfig(place);
  return await trimAt(place, context, options);
}
