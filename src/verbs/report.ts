import { readConfig } from "../config/read_config.ts";
import { pressureOrEstimate } from "../gauge/any_pressure.ts";
import { reportPage } from "../report/page.ts";
import { projectReport } from "../report/project_report.ts";
import { savePage } from "../report/save_page.ts";
import { sessionReport } from "../report/session_report.ts";
import { readEnv, resolvePath } from "../store/paths.ts";
import { withConfig } from "../trim/trim_options.ts";
import { locateProject, locateSession, type SessionOptions } from "./place.ts";

/** The session to report on, and where to write the page. */
export interface ReportOptions extends SessionOptions {
  /** Whether the page compares all sessions of the project. @default {false} */
  readonly project?: boolean | undefined;
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
  /** The data of the page, as JSON; `kind` is `session` or `project`. */
  readonly report: Readonly<Record<string, unknown>>;
}

export async function report(options: ReportOptions = {}): Promise<ReportResult> {
  const { session, project = false } = options;
  if (project && session !== undefined) {
    throw new TypeError("Cannot report: project compares all sessions, so give no session");
  }
  const output = options.output === undefined
    ? undefined
    : resolvePath(options.output, options.cwd ?? Deno.cwd());
  const data = project ? await ofProject(options) : await ofSession(options);
  const html = await reportPage(data);
  const sessionId = data.kind === "session" ? data.session_id : null;
  const path = savePage(html, { projectDir: data.project, sessionId, output });
  const bytes = new TextEncoder().encode(html).length;
  return { path, bytes, report: { ...data } };
}

async function ofSession(options: ReportOptions): Promise<ReturnType<typeof sessionReport>> {
  const place = locateSession(options);
  const { session, projectDir, owner } = place;
  const { context: config } = await readConfig(place);
  const pressure = await pressureOrEstimate({ transcript: session.path, owner, config });
  const now = options.now?.() ?? new Date();
  const trim = withConfig({}, config);
  return sessionReport({ session, projectDir, pressure, config, trim, now });
}

async function ofProject(
  options: ReportOptions,
): Promise<Awaited<ReturnType<typeof projectReport>>> {
  const place = locateProject(options);
  const { context: config } = await readConfig(place);
  const now = options.now?.() ?? new Date();
  return await projectReport({ ...place, config, env: readEnv, trim: withConfig({}, config), now });
}
