import { cleanText } from "../inject/clean.ts";
import { VERSION } from "../version.ts";
import { type ContentGroup, KIND_NAMES } from "./contents.ts";
import { COST_PARTS, costParts, turnName } from "./requests.ts";
import type { SessionReport } from "./session_report.ts";
import { sessionSections } from "./session_sections.ts";
import { escapeHtml, minuteOf } from "./words.ts";

/** Levels and kinds of content, each drawn in the color of the same name. */
const COLORED = ["ok", "warn", "recommend", "urgent", ...Object.keys(KIND_NAMES)];

/**
 * The start of every report. Do not change it: an existing file, perhaps from an earlier version, is replaced
 * only if it is empty or starts with this text.
 */
export const PAGE_START = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `;

/**
 * The page is self-contained and blocks all other resources. All text of the session is escaped, so that it
 * cannot become markup or script.
 */
export async function reportPage(report: SessionReport): Promise<string> {
  const { default: library } = await import("./page/charts.min.js", { with: { type: "text" } });
  const { default: look } = await import("./page/look.js", { with: { type: "text" } });
  const { default: points } = await import("./page/draw_points.js", { with: { type: "text" } });
  const { default: bars } = await import("./page/draw_bars.js", { with: { type: "text" } });
  const { default: trees } = await import("./page/draw_trees.js", { with: { type: "text" } });
  const { default: script } = await import("./page/page.js", { with: { type: "text" } });
  const { default: rules } = await import("./page/page.css", { with: { type: "text" } });
  const content = sessionSections(report);
  const charts = sessionCharts(report);
  const style = rules + COLORED.map((name) => `.${name} { color: var(--${name}); }\n`).join("");
  const scripts = [library, look, points, bars, trees, script];
  const hashes = await Promise.all(scripts.map(hashSource));
  const policy = [
    `script-src ${hashes.join(" ")}`,
    `style-src ${await hashSource(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const links = content.links.map(([id, title]) => `<a href="#${id}">${escapeHtml(title)}</a>`);
  return `${PAGE_START}${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(content.title)}</title>
<style>${style}</style>
</head>
<body>
<header>
${content.header}
<nav aria-label="Sections">${links.join("\n")}</nav>
</header>
<main>
<noscript><p class="empty">The charts need JavaScript. The tables contain the same numbers.</p></noscript>
${content.body}
</main>
<footer><p>Made by trimtab ${escapeHtml(VERSION)} on ${
    minuteOf(report.created)
  }. Times are in UTC. ` +
    `This page loads no external resources. Charts by Apache ECharts.</p></footer>
<script type="application/json" id="data">${scriptData(charts)}</script>
${scripts.map((text) => `<script>${text}</script>`).join("\n")}
</body>
</html>
`;
}

/** Serializes data for a script element; escapes `<`, so that no text can close the element. */
function scriptData(value: unknown): string {
  const clean = (_: string, item: unknown): unknown =>
    typeof item === "string" ? cleanText(item) : item;
  return JSON.stringify(value, clean).replaceAll("<", "\\u003c");
}

async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${new Uint8Array(digest).toBase64()}'`;
}

interface SessionCharts {
  readonly window: {
    readonly size: number;
    /** Tokens that count as 100 percent. */
    readonly limit: number;
    readonly levels: readonly (readonly [name: string, from: number, to: number])[];
    readonly points: readonly (readonly [number: number, tokens: number, time: string])[];
    readonly marks: readonly (readonly [
      kind: string,
      after: number,
      tokens: number,
      text: string,
      time: string,
    ])[];
  };
  readonly contents: {
    readonly total: number;
    readonly groups: readonly ContentGroup[];
  };
  readonly largest:
    readonly (readonly [name: string, about: string, stays: number, freed: number])[];
  readonly cost_parts: readonly string[];
  /** Cost by turn, in the order of `cost_parts`. */
  readonly turns: readonly (readonly [name: string, about: string, parts: readonly number[]])[];
}

export function sessionCharts(report: SessionReport): SessionCharts {
  const { contents, turns } = report;
  return {
    window: windowChart(report),
    contents: {
      total: contents.groups.reduce((sum, { tokens }) => sum + tokens, 0),
      groups: contents.groups,
    },
    largest: contents.largest.map((entry) =>
      [
        // Hidden thinking, for example, has neither a tool nor a subject.
        entry.tool === "" && entry.about === "" ? KIND_NAMES[entry.kind] : entry.tool,
        entry.about,
        Math.max(0, entry.tokens - entry.freed),
        entry.freed,
      ] as const
    ),
    cost_parts: COST_PARTS,
    turns: turns.map((turn) => [turnName(turn), turn.prompt, costParts(turn)] as const),
  };
}

function windowChart(report: SessionReport): SessionCharts["window"] {
  const { requests, marks, levels, pressure: { window, limit } } = report;
  const tokensAt = (percent: number): number => Math.round((percent * limit) / 100);
  return {
    size: window,
    limit,
    levels: [
      ["ok", 0, tokensAt(levels.warn)],
      ["warn", tokensAt(levels.warn), tokensAt(levels.recommend)],
      ["recommend", tokensAt(levels.recommend), tokensAt(levels.urgent)],
      ["urgent", tokensAt(levels.urgent), window],
    ],
    points: requests.map(({ number, tokens, time }) => [number, tokens, minuteOf(time)] as const),
    marks: marks.map(({ kind, after, text, time }) =>
      [kind, after, requests[Math.max(0, after - 1)]?.tokens ?? 0, text, minuteOf(time)] as const
    ),
  };
}
