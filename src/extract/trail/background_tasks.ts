import { AGENT_TOOLS, isAgentStarted } from "../../core/tools.ts";
import { isStarted } from "../../core/shell_commands.ts";
import { setNewest } from "../../core/newest.ts";
import { asString } from "../../transcript/entry.ts";
import { excerptLine } from "../../inject/excerpt.ts";
import type { FinishedCall } from "../../core/work_state.ts";

const MAX_TASKS = 8;
const MAX_STORED_CHARS = 400;
const MAX_NAME_CHARS = 80;

/** Captures the id of a task in each wording of the client's result. */
const TASK_ID = /\b(?:agentId|ID): (\w+)/;

const STOPPERS = new Set(["TaskStop", "KillShell", "KillBash"]);

/** Matches the client's report that a task has ended. */
const ENDED_STATUS = /<status>(?!running|pending)\w+<\/status>/;

export class BackgroundTasks {
  /** Names by task id. */
  readonly #open = new Map<string, string>();

  call({ name, input, result }: FinishedCall): void {
    const isTask = AGENT_TOOLS.has(name) ? isAgentStarted(result) : isStarted(result);
    const id = isTask ? TASK_ID.exec(result)?.[1] : undefined;
    const description = asString(input.description) ?? asString(input.command) ?? "";
    if (id !== undefined) {
      setNewest(this.#open, id, description.slice(0, MAX_STORED_CHARS), MAX_TASKS);
    }
    if (STOPPERS.has(name) || ENDED_STATUS.test(result)) {
      this.#open.delete(asString(input.task_id ?? input.shell_id ?? input.bash_id) ?? "");
    }
  }

  /** Removes the tasks whose names a notification contains. */
  returned(summary: string): void {
    for (const [id, name] of this.#open) if (summary.includes(name)) this.#open.delete(id);
  }

  finish(): string[] {
    return [...this.#open.values()].map((name) => excerptLine(name, MAX_NAME_CHARS))
      .filter((name) => name !== "");
  }
}
