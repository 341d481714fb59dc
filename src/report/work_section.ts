import { excerptLine } from "../inject/excerpt.ts";
import type { WorkState } from "../extract/work_state.ts";
import { listMarkup } from "./markup.ts";

const MAX_ITEMS = 12;

const MAX_ITEM_CHARS = 240;

export function workSection(work: WorkState): string {
  const at = (line: number | null): string => line === null ? "" : `line ${line}`;
  const short = (text: string): string => excerptLine(text, MAX_ITEM_CHARS);
  const some = <Item>(items: readonly Item[]): readonly Item[] => items.slice(0, MAX_ITEMS);
  const lists = [
    listMarkup(
      "Requirements",
      some(work.requirements).map(({ text, from }) => [short(text), at(from.line)]),
    ),
    listMarkup(
      "Decisions",
      some(work.decisions).map((one) => [short(one.decision), short(one.rationale)]),
    ),
    listMarkup(
      "Changes",
      some(work.changes).map((one) => [`${one.action} ${one.file}`, short(one.what)]),
    ),
    listMarkup("Commits", some(work.commits).map(({ hash, message }) => [short(message), hash])),
    listMarkup(
      "Open issues",
      some(work.issues).map(({ issue, from }) => [short(issue), at(from.line)]),
    ),
    listMarkup(
      "Next steps",
      some(work.next_steps).map(({ step, status }) => [short(step), status.replace("_", " ")]),
    ),
    listMarkup(
      "Learnings",
      some(work.learnings).map(({ text, from }) => [short(text), at(from.line)]),
    ),
  ].filter((list) => list !== "");
  const body = lists.length === 0
    ? `<p class="empty">The work state is not known.</p>`
    : `<div class="lists">\n${lists.join("\n")}\n</div>`;
  return `<section id="work" aria-labelledby="work-title">
<h2 id="work-title">Work state</h2>
<p class="lead">What the session was doing, as a checkpoint would save it.</p>
${body}
</section>`;
}
