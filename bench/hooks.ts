/**
 * What every hook costs: the permissions of its row, a payload of its event, against an empty script.
 *
 * @module
 */

import { launcherPermissions, withFolders } from "../tools/permissions.ts";
import { type BenchFile, removeOutputs } from "./files.ts";
import { type Latency, timeHook } from "./hook_latency.ts";

const ROOT = `${import.meta.dirname}/..`;

/** What the client hands each hook besides the session, by the hook's file. */
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

/** A hook on a transcript. */
export interface HookLatency extends Latency {
  /** The hook's file. */
  readonly hook: string;
}

/**
 * Times all hooks on a transcript. Each has been run once before: what a hook saves, it saves then.
 *
 * @param file The transcript.
 * @param runs How often.
 * @returns The figures, in the order of {@linkcode PAYLOADS}.
 * @throws {RangeError} When a hook has no payload here.
 */
export async function timeHooks(file: BenchFile, runs: number): Promise<HookLatency[]> {
  const rows = [...launcherPermissions(Deno.readTextFileSync(`${ROOT}/bin/trimtab`))]
    .filter(([path]) => path.startsWith("hooks/"));
  const latencies: HookLatency[] = [];
  for (const [hook, row] of rows) {
    const extra = PAYLOADS[hook];
    if (extra === undefined) throw new RangeError(`Cannot time ${hook}: no payload is known`);
    const flags = withFolders(row, { config: file.folder, project: file.folder });
    const argv = [Deno.execPath(), "run", "--no-prompt", ...flags, `${ROOT}/${hook}`] as const;
    const payload = JSON.stringify({
      session_id: "{session_id}",
      transcript_path: "{transcript}",
      cwd: "{cwd}",
      permission_mode: "default",
      ...extra,
    });
    await timeHook(file, { argv: [...argv], payload, runs: 1 });
    latencies.push({ hook, ...await timeHook(file, { argv: [...argv], payload, runs }) });
    await removeOutputs(file);
  }
  return latencies.sort((a, b) => a.hook < b.hook ? -1 : 1);
}
