/** `trimtab report`: writes a page to look at: what filled a session's window, and what it cost. */

import { pressureOrEstimate } from "../src/pressure/any_pressure.ts";
import { openFile } from "../src/report/open_file.ts";
import { reportPage } from "../src/report/page.ts";
import { projectReport } from "../src/report/project_report.ts";
import { savePage } from "../src/report/save_page.ts";
import { sessionReport } from "../src/report/session_report.ts";
import { readEnv, resolvePath } from "../src/store/paths.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { readConfig } from "../src/config/read_config.ts";
import { locateProject, locateSession } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, flagOf, textOf, UsageError } from "../cli/spec.ts";
import { withConfig } from "../src/trim/trim_options.ts";

export const REPORT_SPEC: CommandSpec = {
  name: "report",
  summary: "Write a page that shows what fills a session's window, and what it cost.",
  positionals: "[SESSION]",
  positionalCount: [0, 1],
  options: [
    {
      name: "output",
      short: "o",
      type: "text",
      value: "FILE",
      help: "where to write it (the project's .claude/trimtab/reports/)",
    },
    { name: "open", type: "flag", help: "open it in the browser" },
    { name: "project", type: "flag", help: "compare the sessions of this project" },
  ],
  notes: [
    "SESSION is an id, the first 8 characters of one, or a path; left out, the session that this",
    "runs in, else the newest of this folder.",
    "",
    "The page is one self-contained file. It quotes the session: credentials are removed, but",
    "review it before sharing it. A new report on a session replaces the previous one.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(REPORT_SPEC, argv, report);
}

async function report(args: Arguments): Promise<CommandOutput> {
  const output = outputOf(args);
  const data = flagOf(args, "project") ? await ofProject(args) : await ofSession(args);
  const html = await reportPage(data);
  const sessionId = data.kind === "session" ? data.session_id : null;
  const path = savePage(html, { projectDir: data.project, sessionId, output });
  const bytes = new TextEncoder().encode(html).length;
  const problem = flagOf(args, "open") ? await openFile(path) : null;
  const opened = flagOf(args, "open") ? problem === null : null;
  const size = `${Math.ceil(bytes / 1000)} KB`;
  const told = problem === null
    ? ""
    : `\nCould not open it in a browser: ${problem}. Open it by hand.`;
  return {
    json: { path, bytes, opened, report: data },
    text: `Wrote ${path} (${size}).${opened === true ? " Opened in the browser." : ""}${told}`,
  };
}

function outputOf(args: Arguments): string | undefined {
  const output = textOf(args, "output");
  if (output === undefined) return undefined;
  if (output === "-") throw new UsageError("Cannot run report: --output must be a file, is -");
  return resolvePath(output, Deno.cwd());
}

async function ofSession(args: Arguments): Promise<ReturnType<typeof sessionReport>> {
  const place = locateSession(args.positionals[0]);
  const { session, projectDir, configDir } = place;
  const { context: config } = await readConfig(place);
  const owner = { projectDir, configDir, sessionId: session.id };
  const pressure = await pressureOrEstimate({ transcript: session.path, owner, config });
  const trim = withConfig({}, config);
  return sessionReport({ session, projectDir, pressure, config, trim, now: new Date() });
}

async function ofProject(args: Arguments): Promise<Awaited<ReturnType<typeof projectReport>>> {
  if (args.positionals.length > 0) {
    throw new UsageError("Cannot run report: --project compares all sessions, so name none");
  }
  const place = locateProject();
  const { context: config } = await readConfig(place);
  return await projectReport({
    ...place,
    config,
    env: readEnv,
    trim: withConfig({}, config),
    now: new Date(),
  });
}

if (import.meta.main) Deno.exit(await run(Deno.args));
