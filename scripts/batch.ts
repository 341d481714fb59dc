import { shortId } from "../src/core/marks.ts";
import { grouped } from "../src/inject/bound.ts";
import { ASSUMED_TOTAL_TOKENS, getAvailableContext } from "../src/plan/available.ts";
import { type BatchPlan, planBatches, workflowOf } from "../src/plan/batches.ts";
import { describeEstimate, fileMeter } from "../src/plan/estimate.ts";
import { renderPlan } from "../src/plan/plan_text.ts";
import { pressureOrEstimate } from "../src/trim/known_pressure.ts";
import { SessionNotFoundError } from "../src/transcript/find.ts";
import { command, type CommandOutput } from "../cli/command.ts";
import { readConfig } from "../src/config/read_config.ts";
import { readInput } from "../cli/input.ts";
import { locateProject, locateSession } from "../src/verbs/place.ts";
import { flag, type OptionValues, valued } from "../cli/spec.ts";

export const SPEC = {
  name: "batch",
  positionals: "FILE",
  options: [
    valued("available", "count", "N", "tokens per batch (the tokens left in the session)"),
    flag("measure-files", "measure existing files, instead of counting 2,000 tokens each"),
  ],
  notes: [
    "FILE lists tasks in JSON, JSON with comments or TOML ([[tasks]]); - reads stdin. A task has a",
    "description, and optionally id, files, estimated_files, subtasks, depends_on, no_split, priority.",
  ],
};

interface Budget {
  available: number;
  source: "option" | "session" | "estimate" | "default";
  text: string;
}

type BatchOptions = OptionValues<typeof SPEC.options[number]>;

export const run = command(SPEC, batch);

async function batch({ available, measureFiles }: BatchOptions, file = ""): Promise<CommandOutput> {
  const { parseTasks } = await import("../src/plan/task_file.ts");
  const tasks = parseTasks(readInput(file, "tasks"), file);
  const meter = fileMeter(measureFiles ? { ...locateProject(), measureFiles } : {});
  const budget = await findBudget(available);
  const plan = planBatches(tasks, budget.available, meter);
  const estimates = tasks.map((task) => describeEstimate(task, meter));
  const notes = warningsOf(plan);
  const batches = plan.batches.map((batch) => batch.tasks);
  return {
    json: {
      estimates: estimates.map((one, index) => ({ ...one, pieces: plan.pieceIds[index] ?? [] })),
      batches,
      batch_tokens: plan.batches.map((batch) => batch.tokens),
      workflow: workflowOf(batches),
      available: budget.available,
      available_source: budget.source,
      warnings: notes,
    },
    text: renderPlan({ plan, estimates, notes, budget: budget.text }),
  };
}

async function findBudget(given: number | undefined): Promise<Budget> {
  if (given !== undefined) {
    return { available: given, source: "option", text: `${grouped(given)} tokens` };
  }
  const place = currentSession();
  if (place === null) {
    const text = `${grouped(ASSUMED_TOTAL_TOKENS)} tokens (assumed, because no session was found)`;
    return { available: getAvailableContext(), source: "default", text };
  }
  const { session: { id, path: transcript }, owner } = place;
  const { context: config } = await readConfig(place);
  const pressure = await pressureOrEstimate({ transcript, owner, config });
  const available = getAvailableContext(pressure);
  const [source, suffix] = pressure.source === "estimate"
    ? ["estimate" as const, ", estimated"]
    : ["session" as const, ""];
  const origin = `left in session ${shortId(id)}, of ${grouped(pressure.limit)}${suffix}`;
  return { available, source, text: `${grouped(available)} tokens (${origin})` };
}

function currentSession(): ReturnType<typeof locateSession> | null {
  try {
    return locateSession();
  } catch (error) {
    if (error instanceof SessionNotFoundError) return null;
    throw error;
  }
}

function warningsOf(plan: BatchPlan): string[] {
  return plan.batches.flatMap(({ tasks, taskTokens }) =>
    tasks.flatMap(({ id, warning }, index) => {
      const tokens = grouped(taskTokens[index] ?? 0);
      return warning === undefined ? [] : [`${id}: ${warning} (about ${tokens} tokens)`];
    })
  );
}

if (import.meta.main) Deno.exit(await run(Deno.args));
