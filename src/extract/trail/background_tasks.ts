import { AGENT_TOOLS, isAgentStarted } from "../../core/tools.ts";
import { runsInBackground } from "../../core/shell_commands.ts";
import { setNewest } from "../../core/newest.ts";
import { asString } from "../../transcript/entry.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import type { FinishedCall, Origin } from "../../core/work_state.ts";

const MAX_TASKS = 8;
const MAX_STORED_CHARS = 400;
const MAX_NAME_CHARS = 80;
const MAX_NAMES = 100;

const TASK_ID = /\b(?:agentId|ID): (\w+)/;

export function startedTask(result: string): string | undefined {
  return TASK_ID.exec(result)?.[1];
}

const STOPPERS = new Set(["TaskStop", "KillShell", "KillBash"]);

function taskOf({ input }: Pick<FinishedCall, "input">): string {
  return asString(input.task_id ?? input.shell_id ?? input.bash_id) ?? "";
}

/** Returns the id of the background task that a call stopped. */
export function stoppedTask(call: FinishedCall): string | undefined {
  return STOPPERS.has(call.name) && !call.isError ? taskOf(call) : undefined;
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
  /** Names of all tasks by id, ended ones too. */
  readonly #names = new Map<string, string>();

  call(call: FinishedCall): void {
    const { name, input, result } = call;
    const isTask = AGENT_TOOLS.has(name) ? isAgentStarted(result) : runsInBackground(result);
    const id = isTask ? startedTask(result) : undefined;
    const description = asString(input.description) ?? asString(input.command) ?? "";
    if (id !== undefined) {
      setNewest(this.#open, id, description.slice(0, MAX_STORED_CHARS), MAX_TASKS);
      setNewest(this.#names, id, excerptLine(description, MAX_NAME_CHARS), MAX_NAMES);
    }
    if (STOPPERS.has(name) || taskEnd(result) !== "") this.#open.delete(taskOf(call));
  }

  /** Removes a task that ended. If its id is unknown, removes the tasks whose names the summary quotes. */
  returned(summary: string, _report: string, _from: Origin, task: string): void {
    if (this.#open.delete(task)) return;
    for (const [id, name] of this.#open) if (summary.includes(`"${name}"`)) this.#open.delete(id);
  }

  /** Returns the name of a task with its id, which is needed to read its output or to stop it. */
  label(id: string): string {
    const name = this.#names.get(id) ?? "";
    return name === "" ? id : `${name} (${id})`;
  }

  finish(): string[] {
    return [...this.#open].flatMap(([id, name]) => name.trim() === "" ? [] : this.label(id));
  }
}
