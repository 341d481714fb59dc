import { andMore, counted, grouped } from "../inject/bound.ts";
import type { BatchPlan } from "./batches.ts";
import type { TaskEstimate } from "./estimate.ts";
import type { BatchTask } from "./task.ts";

/** Text between two batches. It differs from the prompt in the workflow, whose wording is specified. */
const SAVE_HINT = "Run /save-checkpoint to save progress";

interface PlanParts {
  readonly plan: BatchPlan;
  readonly estimates: readonly TaskEstimate[];
  readonly notes: readonly string[];
  readonly budget: string;
}

const MAX_SHOWN_CHARS = 72;

const MAX_SHOWN_NAMES = 40;

const MAX_ID_CHARS = 32;

export function renderPlan({ plan, estimates, notes, budget }: PlanParts): string {
  const { batches, pieceIds } = plan;
  const pieces = batches.reduce((sum, batch) => sum + batch.tasks.length, 0);
  const counts = [
    counted(pieceIds.length, "task"),
    ...(pieces === pieceIds.length ? [] : [`in ${counted(pieces, "piece")}`]),
    `in ${batches.length === 1 ? "1 batch" : `${grouped(batches.length)} batches`}`,
  ].join(" ");
  const blocks = [`${counts}. A batch may take ${budget}.`];
  const idLengths = batches.flatMap(({ tasks }) => tasks.map((task) => idOf(task).length));
  const width = Math.min(MAX_ID_CHARS, Math.max(0, ...idLengths));
  for (const [index, { tasks, taskTokens, tokens }] of batches.entries()) {
    const rows = tasks.map((task, position) => rowsOf(task, taskTokens[position] ?? 0, width));
    blocks.push([`batch_${index}  ${grouped(tokens)} tokens`, ...rows].join("\n"));
    if (index < batches.length - 1) blocks.push(`checkpoint_${index}  ${SAVE_HINT}`);
  }
  const splitNotes = pieceIds.flatMap((ids, index) => {
    const { id, tokens } = estimates[index] ?? {};
    return ids.length < 2 || tokens === undefined ? [] : [
      `${id} was split into ${ids.length} parts: as a whole, it takes about ${
        grouped(tokens)
      } tokens`,
    ];
  });
  const allNotes = [...splitNotes, ...notes].map((note) => `- ${note}`);
  if (allNotes.length > 0) blocks.push(["Notes:", ...allNotes].join("\n"));
  return blocks.join("\n\n");
}

function rowsOf(task: BatchTask, tokens: number, width: number): string {
  const id = idOf(task).padEnd(width);
  const row = `  ${id}  ${grouped(tokens).padStart(9)}  ${shortDescription(task.description)}`;
  const notes = [joinNames("", task.files), joinNames("after ", task.depends_on), task.warning]
    .filter((note) => note !== undefined);
  return [row, ...notes.map((note) => `${" ".repeat(width + 15)}${note}`)].join("\n");
}

function joinNames(lead: string, names: readonly string[] = []): string | undefined {
  return names.length === 0
    ? undefined
    : lead + andMore(names.slice(0, MAX_SHOWN_NAMES), names.length);
}

function shortDescription(description: string): string {
  const points = [...description.replaceAll(/\s+/g, " ").trim()];
  if (points.length <= MAX_SHOWN_CHARS) return points.join("");
  const end = /\s\(part \d+ of \d+\)$/.exec(description)?.[0] ?? "";
  return `${points.slice(0, MAX_SHOWN_CHARS - end.length - 1).join("").trimEnd()}…${end}`;
}

function idOf(task: BatchTask): string {
  return task.id ?? "";
}
