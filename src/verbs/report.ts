import { readConfig } from "../config/read_config.ts";
import { pressureOrEstimate } from "../trim/known_pressure.ts";
import { reportPage } from "../report/page.ts";
import { savePage } from "../report/save_page.ts";
import { sessionReport } from "../report/session_report.ts";
import { resolvePath } from "../store/paths.ts";
import { withConfig } from "../trim/trim_options.ts";
import { locateSession, type SessionOptions } from "./place.ts";

/** The session to report on, and where to write the page. */
export interface ReportOptions extends SessionOptions {
  /** The path of the page. @default {a file in the project's .claude/trimtab/reports} */
  readonly output?: string | undefined;
  /** Returns the current time. @default {() => new Date()} */
  readonly now?: () => Date;
}

/** A page, and the figures on it. */
export interface ReportResult {
  /** Path of the page, which is one self-contained file. */
  readonly path: string;
  /** Size of the page, in bytes. */
  readonly bytes: number;
  /** The data of the page, as JSON. */
  readonly report: Readonly<Record<string, unknown>>;
}

export async function report(options: ReportOptions = {}): Promise<ReportResult> {
  const output = options.output === undefined
    ? undefined
    : resolvePath(options.output, options.cwd ?? Deno.cwd());
  const place = locateSession(options);
  const { session, projectDir, owner } = place;
  const config = await readConfig(place);
  const { context } = config;
  const pressure = await pressureOrEstimate({ transcript: session.path, owner, config: context });
  const now = options.now?.() ?? new Date();
  const trim = withConfig({}, context);
  const data = sessionReport({ session, projectDir, pressure, config, trim, now });
  const html = await reportPage(data);
  const path = savePage(html, { projectDir, sessionId: session.id, output });
  const bytes = new TextEncoder().encode(html).length;
  return { path, bytes, report: { ...data } };
}
