/**
 * Times every hook with its permissions and a payload of its event, and compares it with an empty script.
 *
 * @module
 */

import { allPermissions, withFolders } from "../tools/permissions.ts";
import { type BenchFile, removeOutputs } from "./files.ts";
import { type Latency, type LatencyOptions, timeHook } from "./hook_latency.ts";
import { LAUNCHER_ENV } from "./measure.ts";

const ROOT = Deno.realPathSync(`${import.meta.dirname}/..`);

export const PAYLOADS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "hooks/user_prompt_expansion.ts": {
    hook_event_name: "UserPromptExpansion",
    expansion_type: "slash_command",
    command_name: "trimtab:fresh-start",
    command_args: "",
  },
  "hooks/user_prompt_submit.ts": { hook_event_name: "UserPromptSubmit", prompt: "go on" },
  "hooks/post_tool_use.ts": {
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "true" },
    tool_response: { stdout: "", stderr: "", interrupted: false, isImage: false },
    tool_use_id: "toolu_bench",
  },
  "hooks/post_tool_batch.ts": { hook_event_name: "PostToolBatch", tool_calls: [] },
  "hooks/pre_compact.ts": {
    hook_event_name: "PreCompact",
    trigger: "auto",
    custom_instructions: "",
  },
  "hooks/session_start.ts": { hook_event_name: "SessionStart", source: "resume" },
  "hooks/session_end.ts": { hook_event_name: "SessionEnd", reason: "other" },
  "hooks/stop.ts": { hook_event_name: "Stop", stop_hook_active: false },
};

export interface HookLatency extends Latency {
  readonly hook: string;
}

/** Hooks to run before a timed hook. A session is usually in the lineage before it ends. */
const BEFORE: Readonly<Record<string, string>> = {
  "hooks/session_end.ts": "hooks/session_start.ts",
};

/**
 * Times all hooks on a transcript, with the permissions of a plugin whose folder the hooks may
 * read. Each hook runs once untimed, so that its first save is not measured.
 *
 * @returns The figures, sorted by the name of the hook.
 * @throws {RangeError} When a hook has no payload here.
 */
export async function timeHooks(file: BenchFile, runs: number): Promise<HookLatency[]> {
  const rows = [...allPermissions()]
    .filter(([path]) => path.startsWith("hooks/"));
  const timings = new Map(rows.map(([hook, row]) => [hook, timingOf(hook, row, file)]));
  const latencies: HookLatency[] = [];
  for (const [hook, timing] of timings) {
    const before = timings.get(BEFORE[hook] ?? "");
    if (before !== undefined) await timeHook(file, { ...before, runs: 1 });
    // Fills V8's code cache. Deno writes it when its event loop turns, which does not happen in every run.
    await import(`${ROOT}/${hook}`);
    await timeHook(file, { ...timing, runs: 1 });
    latencies.push({ hook, ...await timeHook(file, { ...timing, runs }) });
    await removeOutputs(file);
  }
  return latencies.sort((a, b) => a.hook < b.hook ? -1 : 1);
}

function timingOf(
  hook: string,
  row: readonly string[],
  file: BenchFile,
): Omit<LatencyOptions, "runs"> {
  const extra = PAYLOADS[hook];
  if (extra === undefined) throw new RangeError(`Cannot time ${hook}: no payload is known`);
  const flags = withFolders(row, { config: file.folder, project: file.folder })
    .map((flag) => flag.startsWith("--allow-read=") ? `${flag},${ROOT}` : flag);
  const payload = JSON.stringify({
    session_id: "{session_id}",
    transcript_path: "{transcript}",
    cwd: "{cwd}",
    permission_mode: "default",
    ...extra,
  });
  const argv = [Deno.execPath(), "run", "--no-prompt", ...flags, `${ROOT}/${hook}`] as const;
  return { argv: [...argv], payload, env: LAUNCHER_ENV };
}
