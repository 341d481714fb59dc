/**
 * Times every hook with its permissions and a payload for its event, and compares it with an empty script.
 */

import { allPermissions, withFolders } from "../tools/permissions.ts";
import { PAYLOADS } from "../tests/hooks/payloads.ts";
import { type BenchFile, removeOutputs, warm } from "./files.ts";
import { type Command, LAUNCHER_ENV, median, runTimed } from "./measure.ts";

const ROOT = Deno.realPathSync(`${import.meta.dirname}/..`);

export interface HookLatency {
  readonly hook: string;
  readonly size: string;
  readonly hookMs: number;
  readonly emptyMs: number;
  readonly ratio: number;
}

/** Hooks to run before a timed hook. A session is usually in the lineage before it ends. */
const BEFORE: Readonly<Record<string, string>> = {
  "hooks/session_end.ts": "hooks/session_start.ts",
};

/**
 * Times all hooks on a transcript, with their permissions and read access to the plugin's folder. Each hook
 * runs once untimed, so that its first save is not measured.
 *
 * @returns The figures, sorted by the name of the hook.
 * @throws {RangeError} When {@linkcode PAYLOADS} has no payload for a hook.
 */
export async function timeHooks(file: BenchFile, runs: number): Promise<HookLatency[]> {
  const rows = [...allPermissions()].filter(([path]) => path.startsWith("hooks/"));
  const commands = new Map(rows.map(([hook, row]) => [hook, commandOf(hook, row, file)]));
  const latencies: HookLatency[] = [];
  for (const [hook, command] of commands) {
    const before = commands.get(BEFORE[hook] ?? "");
    if (before !== undefined) await timeHook(file, before, 1);
    // Fills V8's code cache. Deno writes the cache from its event loop, which not every run reaches.
    await import(`${ROOT}/${hook}`);
    await timeHook(file, command, 1);
    latencies.push({ hook, ...await timeHook(file, command, runs) });
    await removeOutputs(file);
  }
  return latencies.sort((a, b) => a.hook < b.hook ? -1 : 1);
}

function commandOf(hook: string, row: readonly string[], file: BenchFile): Command {
  const extra = PAYLOADS[hook.replace(/^hooks\/|\.ts$/g, "")]?.at(-1);
  if (extra === undefined) {
    throw new RangeError(`Cannot time ${hook}: PAYLOADS has no entry for it`);
  }
  const flags = withFolders(row, { config: file.folder, project: file.folder })
    .map((flag) => flag.startsWith("--allow-read=") ? `${flag},${ROOT}` : flag);
  const stdin = JSON.stringify({
    session_id: file.sessionId,
    transcript_path: file.path,
    cwd: file.folder,
    permission_mode: "default",
    ...extra,
  });
  return {
    argv: [Deno.execPath(), "run", "--no-prompt", ...flags, `${ROOT}/${hook}`],
    stdin,
    env: { CLAUDE_CONFIG_DIR: file.folder, CLAUDE_PROJECT_DIR: file.folder, ...LAUNCHER_ENV },
  };
}

/**
 * Times a hook on a transcript, alternating with an empty script. Each run is a separate process.
 *
 * @returns The medians.
 * @throws {Error} When the hook does not exit with 0, which would make the figures meaningless.
 */
async function timeHook(
  file: BenchFile,
  hook: Command,
  runs: number,
): Promise<Omit<HookLatency, "hook">> {
  const script = `${import.meta.dirname}/empty.ts`;
  const empty: Command = { ...hook, argv: [Deno.execPath(), "run", "--no-prompt", script] };
  warm(file.path);
  const times: { hook: number[]; empty: number[] } = { hook: [], empty: [] };
  for (let run = 0; run < runs; run++) {
    times.empty.push((await runTimed(empty)).wallMs);
    const result = await runTimed(hook);
    if (result.code !== 0) {
      throw new Error(`Cannot time the hook: exit ${result.code}: ${result.stderr.trim()}`);
    }
    times.hook.push(result.wallMs);
  }
  const [hookMs, emptyMs] = [median(times.hook), median(times.empty)];
  return { size: file.size, hookMs, emptyMs, ratio: hookMs / emptyMs };
}
