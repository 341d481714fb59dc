/** Renders the sections, charts and tables of a report's page as HTML. */

import { grouped } from "../inject/bound.ts";
import { escapeHtml } from "./words.ts";

export interface PageContent {
  readonly title: string;
  readonly header: string;
  readonly links: readonly (readonly [id: string, title: string])[];
  readonly body: string;
}

/** An object marks a column of numbers. */
type Column = string | { readonly number: string };

/** Null is shown as a dash. */
export type Cell = string | number | null;

/** The first cell of a row is the row's heading. */
interface Table {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

interface ChartSection {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly label: string;
  readonly tables: readonly Table[];
  /** Shown instead of the chart if there is nothing to draw; otherwise null. */
  readonly empty: string | null;
  readonly extra?: string;
}

export function numberColumns(...names: readonly string[]): Column[] {
  return names.map((number) => ({ number }));
}

export function chartSection(section: ChartSection): string {
  const { id, title, lead, label, tables, empty, extra = "" } = section;
  const content = empty === null
    ? `<div class="chart" data-chart="${id}" tabindex="0" role="application" aria-roledescription="chart" aria-label="${
      escapeHtml(`${label} The arrow keys move between points; Escape leaves the chart.`)
    }"><div class="canvas" aria-hidden="true"></div></div>
<p class="said" role="status" aria-live="polite" data-said="${id}"></p>
${extra}<details>
<summary>${tables.length === 1 ? "Show as a table" : "Show as tables"}</summary>
${tables.map(tableMarkup).join("\n")}
</details>`
    : `<p class="empty">${escapeHtml(empty)}</p>`;
  return `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escapeHtml(title)}</h2>
<p class="lead">${escapeHtml(lead)}</p>
${content}
</section>`;
}

function tableMarkup(table: Table): string {
  const { caption, columns, rows } = table;
  const name = escapeHtml(caption);
  const head = columns.map((column) =>
    `<th scope="col"${numericClass(column)}>${
      escapeHtml(typeof column === "string" ? column : column.number)
    }</th>`
  );
  const body = rows.map((row) =>
    `<tr>${row.map((cell, index) => cellMarkup(cell, index, columns)).join("")}</tr>`
  );
  return `<div class="scroll" role="region" tabindex="0" aria-label="${name}"><table>
<caption>${name}</caption>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody></table></div>`;
}

function cellMarkup(cell: Cell, index: number, columns: readonly Column[]): string {
  const column = columns[index] ?? "";
  const text = cell === null ? "–" : typeof cell === "number" ? grouped(cell) : cell;
  return index === 0
    ? `<th scope="row"${numericClass(column)}>${escapeHtml(text)}</th>`
    : `<td${numericClass(column)}>${escapeHtml(text)}</td>`;
}

function numericClass(column: Column): string {
  return typeof column === "string" ? "" : ' class="number"';
}
