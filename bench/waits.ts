/**
 * Times what a person waits for, in one run: copies of sessions of several sizes compared with other tools,
 * help, the prompt hook, and the real client with and without the plugin. Programs start through
 * `bin/trimtab`, as the client and a shell start them.
 *
 *     deno task bench:waits [FOLDER] [--sizes 1MB,4MB,10MB,104MB] [--runs 10] [--no-client] [--json]
 *
 * @module
 */

import { parseArgs } from "@std/cli";
import { clientTable, timeClient } from "./client.ts";
import { parseSize, writeTranscript } from "./generate.ts";
import { PROMPT_PAYLOAD } from "./hook_latency.ts";
import { type Command, findProgram, runTimed } from "./measure.ts";
import { sessionsIn } from "./sessions.ts";
import { formatMs, formatRatio, markdownTable } from "./table.ts";

const HELP = `Time what a person waits for.

Usage: deno task bench:waits [FOLDER] [OPTIONS]

  FOLDER         sessions to copy (TRIMTAB_CORPUS, else the demo, repeated)
  --sizes LIST   sizes of the sessions, separated by commas (1MB,4MB,10MB,104MB)
  --runs N       number of timed runs; the shortest is reported (10)
  --no-client    skip the real client
  --json         the figures as JSON on stdout; the tables then go to stderr
`;

const ROOT = Deno.realPathSync(`${import.meta.dirname}/..`);

const IN_PLACE_SIZE = "4MB";

/** Tokens of the newest answer, in a window of 200,000: `full` raises the level, and `roomy` does not. */
const USAGE = { full: 150_000, roomy: 20_000 };

/**
 * Trimmers in Python. A trimmer that is not installed is skipped. cozempic changes a session in place, so it
 * gets a copy.
 */
const OTHER_TRIMMERS = [
  {
    name: "cozempic",
    module: "cozempic.cli",
    line: 'cp "$2" "$3" && exec "$1" -m cozempic.cli treat "$3" -rx standard --execute',
  },
  {
    name: "claude-code-tools",
    module: "claude_code_tools.trim_session",
    line: 'exec "$1" -m claude_code_tools.trim_session "$2" --output-dir "${3%/*}"',
  },
] as const;

interface Wait {
  readonly name: string;
  readonly command: Command;
  /** Undoes the last run's changes to files. Its time is not counted. */
  readonly before?: () => void;
}

interface WaitSession {
  readonly path: string;
  readonly bytes: number;
  readonly origin: string;
}

/**
 * Times processes, which take turns. The first round is a warm-up.
 *
 * @returns The shortest time of each.
 * @throws {Error} When a process fails.
 */
async function timeWaits(waits: readonly Wait[], runs: number): Promise<Row[]> {
  const shortest = waits.map(() => Infinity);
  for (let run = -1; run < runs; run++) {
    for (const [index, { name, command, before }] of waits.entries()) {
      before?.();
      const { wallMs, code, stderr } = await runTimed(command);
      if (code !== 0) throw new Error(`Cannot time ${name}: exit ${code}: ${stderr.trim()}`);
      if (run >= 0) shortest[index] = Math.min(shortest[index] ?? Infinity, wallMs);
    }
  }
  return waits.map(({ name }, index) => ({ name, shortestMs: shortest[index] ?? NaN }));
}

/**
 * Makes a session of at least the given size from the real session with the nearest size. If there are no real
 * sessions, repeats the one that ships with the project.
 *
 * @param size For example `4MB`.
 * @param sessions Paths of real sessions.
 */
function sessionOfSize(size: string, sessions: readonly string[], folder: string): WaitSession {
  const sizeBytes = parseSize(size);
  const distance = (path: string): number =>
    Math.abs(Math.log(Deno.statSync(path).size / sizeBytes));
  const [source] = sessions.toSorted((a, b) => distance(a) - distance(b));
  Deno.mkdirSync(folder, { recursive: true });
  const draft = `${folder}/draft`;
  const { bytes, copies, sessionId } = writeTranscript(
    draft,
    source === undefined ? { sizeBytes } : { sizeBytes, source },
  );
  const path = `${folder}/${sessionId}.jsonl`;
  Deno.renameSync(draft, path);
  const name = source === undefined ? "demo" : source.slice(source.lastIndexOf("/") + 1);
  return { path, bytes, origin: copies === 1 ? name : `${name}, ${copies} times` };
}

/** Makes a command that runs the launcher without the user's own configuration and sessions. */
function own(root: string, ...args: string[]): Command {
  const env = { CLAUDE_CONFIG_DIR: `${root}/.claude`, CLAUDE_PROJECT_DIR: root };
  return { argv: ["/bin/sh", `${ROOT}/bin/trimtab`, ...args], env };
}

function empty(): Wait {
  const argv = [Deno.execPath(), "run", "--no-prompt", `${ROOT}/bench/empty.ts`] as const;
  return { name: "empty Deno", command: { argv: [...argv] } };
}

async function copies(
  { path }: WaitSession,
  root: string,
  log: (text: string) => void,
): Promise<Wait[]> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const output = `${folder}/output.jsonl`;
  const before = (): void => {
    for (const { name } of Deno.readDirSync(folder)) {
      if (!path.endsWith(`/${name}`)) Deno.removeSync(`${folder}/${name}`, { recursive: true });
    }
  };
  const waits: Wait[] = [
    { name: "cp", command: { argv: ["cp", path, output] }, before },
    { name: "trimtab trim", command: own(root, "trim", path, "--json"), before },
  ];
  const python = await findProgram("python3");
  if (python === null) {
    log("Skipped: python3 and the trimmers in Python, because there is no python3 here.\n");
    return waits;
  }
  const roundTrip = [python, `${ROOT}/bench/round_trip.py`, path, output] as const;
  waits.push({ name: "Python round trip", command: { argv: [...roundTrip] }, before });
  for (const { name, module, line } of OTHER_TRIMMERS) {
    const probe = await runTimed({ argv: [python, "-c", `import ${module}`] });
    if (probe.code !== 0) {
      log(`Skipped: ${name}, because python3 does not find ${module}.\n`);
      continue;
    }
    const argv = ["/bin/sh", "-c", line, "sh", python, path, output] as const;
    const env = { CLAUDE_CONFIG_DIR: `${root}/.claude` };
    waits.push({ name, command: { argv: [...argv], env }, before });
  }
  return waits;
}

/**
 * Lists two runs of the prompt hook: in a session whose level is `ok`, and in a session whose level rises
 * for the first time.
 */
function hooks({ path }: WaitSession, root: string): Wait[] {
  const before = (): void => {
    try {
      Deno.removeSync(`${root}/.claude/trimtab`, { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  const text = Deno.readTextFileSync(path);
  const parent = /"uuid":"([0-9a-f-]{36})"(?![\s\S]*"uuid":)/.exec(text)?.[1] ?? null;
  return Object.entries({ roomy: "a prompt's hook, quiet", full: "a prompt's hook, first warning" })
    .map(([usage, name]) => {
      const sessionId = crypto.randomUUID();
      const transcript = `${root}/.claude/projects/-work/${sessionId}.jsonl`;
      const message = {
        id: "msg_bench",
        type: "message",
        role: "assistant",
        model: "claude-haiku-4-5",
        content: [{ type: "text", text: "Done." }],
        stop_reason: "end_turn",
        usage: { input_tokens: USAGE[usage as keyof typeof USAGE], output_tokens: 1 },
      };
      const answer = {
        parentUuid: parent,
        isSidechain: false,
        type: "assistant",
        message,
        uuid: crypto.randomUUID(),
        timestamp: new Date().toISOString(),
        sessionId,
      };
      Deno.mkdirSync(transcript.slice(0, transcript.lastIndexOf("/")), { recursive: true });
      Deno.writeTextFileSync(transcript, `${text.trimEnd()}\n${JSON.stringify(answer)}\n`);
      const stdin = PROMPT_PAYLOAD.replaceAll("{transcript}", transcript)
        .replaceAll("{session_id}", sessionId).replaceAll("{cwd}", root);
      return { name, command: { ...own(root, "hook", "user-prompt-submit"), stdin }, before };
    });
}

interface Row {
  readonly name: string;
  readonly shortestMs: number;
}

interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
}

function groupTable({ title, rows }: Group): string {
  const bases = ["empty Deno", "cp", "Python round trip"].filter((base) =>
    rows.some(({ name }) => name === base)
  );
  const msOf = (wanted: string): number =>
    rows.find(({ name }) => name === wanted)?.shortestMs ?? NaN;
  return markdownTable(
    [title, "ms", ...bases.map((base) => `× ${base}`)],
    rows.map(({ name, shortestMs }) => [
      name,
      formatMs(shortestMs),
      ...bases.map((base) => formatRatio(shortestMs / msOf(base))),
    ]),
  );
}

async function main(): Promise<number> {
  const args = parseArgs(Deno.args, {
    boolean: ["help", "json", "client"],
    negatable: ["client"],
    string: ["sizes", "runs"],
    default: { client: true, sizes: "1MB,4MB,10MB,104MB", runs: "10" },
  });
  const runs = Number(args.runs);
  if (args.help || !Number.isSafeInteger(runs) || runs < 1) {
    (args.help ? console.log : console.error)(HELP);
    return args.help ? 0 : 2;
  }
  const log = args.json ? console.error : console.log;
  const folder = args._[0]?.toString() ?? Deno.env.get("TRIMTAB_CORPUS");
  const sessions = folder === undefined ? [] : sessionsIn([folder]);
  const root = Deno.makeTempDirSync({ prefix: "bench-waits-" });
  try {
    const groups: Group[] = [];
    const timed = async (title: string, waits: readonly Wait[]): Promise<void> => {
      const group = { title, rows: await timeWaits([empty(), ...waits], runs) };
      groups.push(group);
      log(groupTable(group));
    };
    for (const size of args.sizes.split(",")) {
      const place = `${root}/.claude/projects/-${size}`;
      const session = sessionOfSize(size, sessions, place);
      const { bytes, origin } = session;
      const title = `copy of ${formatMs(bytes / 1e6)} MB (${origin})`;
      await timed(title, await copies(session, root, log));
      Deno.removeSync(place, { recursive: true });
    }
    const place = `${root}/.claude/projects/-in-place`;
    const session = sessionOfSize(IN_PLACE_SIZE, sessions, place);
    const helps = ["trim", "status", "show"].map((command): Wait => ({
      name: `${command} --help`,
      command: own(root, command, "--help"),
    }));
    await timed("start", [...helps, ...hooks(session, root)]);
    const client = args.client ? await timeClient({ runs, session: session.path }) : {};
    if (args.client) log(clientTable(client));
    if (args.json) console.log(JSON.stringify({ runs, groups, client }, null, 2));
    return 0;
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main());
