import { AGENT_TOOLS, isAgentStarted } from "../../core/tools.ts";
import { runsInBackground } from "../../core/shell_commands.ts";
import { setNewest } from "../../core/newest.ts";
import { asString } from "../../transcript/entry.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import type { FinishedCall, Origin } from "../../core/work_state.ts";

const MAX_TASKS = 8;
const MAX_STORED_CHARS = 400;
const MAX_NAME_CHARS = 80;

const TASK_ID = /\b(?:agentId|ID): (\w+)/;

function startedTask(result: string): string | undefined {
  return TASK_ID.exec(result)?.[1];
}

const STOPPERS = new Set(["TaskStop", "KillShell", "KillBash"]);

function taskOf({ input }: Pick<FinishedCall, "input">): string {
  return asString(input.task_id ?? input.shell_id ?? input.bash_id) ?? "";
}

const TASK_STATUS = /<status>(\w+)<\/status>/;

const MAX_REPORT_HEAD_CHARS = 1_000;

/** Returns how a background task ended, such as "completed"; empty if it is not known to have ended. */
export function taskEnd(result: string): string {
  const status = TASK_STATUS.exec(result.slice(0, MAX_REPORT_HEAD_CHARS))?.[1] ?? "";
  return status === "running" || status === "pending" ? "" : status;
}

export class BackgroundTasks {
  readonly #open = new Map<string, string>();

  call(call: FinishedCall): void {
    const { name, input, result } = call;
    const isTask = AGENT_TOOLS.has(name) ? isAgentStarted(result) : runsInBackground(result);
    const id = isTask ? startedTask(result) : undefined;
    const description = asString(input.description) ?? asString(input.command) ?? "";
    if (id !== undefined) {
      setNewest(this.#open, id, description.slice(0, MAX_STORED_CHARS), MAX_TASKS);
    }
    if (STOPPERS.has(name) || taskEnd(result) !== "") this.#open.delete(taskOf(call));
  }

  /** Removes a task that ended. If its id is unknown, removes the tasks whose names the summary quotes. */
  returned(summary: string, _report: string, _from: Origin, task: string): void {
    if (this.#open.delete(task)) return;
    for (const [id, name] of this.#open) if (summary.includes(`"${name}"`)) this.#open.delete(id);
  }

  /** Lists the tasks with their ids, which are needed to read their output or to stop them. */
  finish(): string[] {
    return [...this.#open].map(([id, name]) => `${excerptLine(name, MAX_NAME_CHARS)} (${id})`);
  }
}
