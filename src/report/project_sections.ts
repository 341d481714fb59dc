/** Renders the sections of a project's report, and gathers the data of their charts. */

import { grouped } from "../inject/bound.ts";
import { fileName } from "../store/paths.ts";
import { type Cell, chartSection, numbers, type PageContent } from "./markup.ts";
import type { ComparedSession, ProjectReport } from "./project_report.ts";
import { totalCost } from "./requests.ts";
import { COST_PARTS, costParts, type DrawnMember, drawnMember } from "./session_charts.ts";
import { familySection } from "./family_section.ts";
import { escapeHtml, minuteOf, shareOf, shortId } from "./words.ts";

interface ProjectCharts {
  /** Tokens in each session's window, now and after a trim. */
  readonly sessions: readonly (readonly [
    name: string,
    about: string,
    tokens: number,
    tokensAfter: number,
    window: number,
  ])[];
  readonly cost_parts: readonly string[];
  /** Cost by session, in the order of `cost_parts`. */
  readonly costs: readonly (readonly [name: string, about: string, parts: readonly number[]])[];
  readonly family: readonly DrawnMember[];
}

export function projectCharts(report: ProjectReport): ProjectCharts {
  return {
    sessions: report.sessions.map((one) =>
      [
        shortId(one.session_id),
        one.prompt,
        one.pressure.tokens ?? 0,
        one.tokens_after_trim,
        one.pressure.window,
      ] as const
    ),
    cost_parts: COST_PARTS,
    costs: report.sessions.map((one) =>
      [shortId(one.session_id), one.prompt, costParts(one)] as const
    ),
    family: report.families.map(drawnMember),
  };
}

export function projectSections(report: ProjectReport): PageContent {
  const { sessions, unread, left_out: leftOut } = report;
  const name = fileName(report.project);
  const cost = sessions.reduce((sum, one) => sum + totalCost(one.cost) + one.agents, 0);
  const notes = [
    ...(leftOut === 0 ? [] : [`${grouped(leftOut)} older sessions are left out.`]),
    ...unread.map(({ session_id, reason }) => `${shortId(session_id)} was not read: ${reason}`),
  ];
  return {
    title: `Project ${name} – trimtab report`,
    header: `<h1>Project ${escapeHtml(name)}</h1>
<p class="facts"><span>${grouped(sessions.length)} sessions</span> <span>${
      grouped(cost)
    } fresh-input-token equivalents in all</span></p>
${notes.map((note) => `<p class="advice">${escapeHtml(note)}</p>`).join("\n")}`,
    links: [["sessions", "Windows"], ["costs", "Cost"], ["family", "Lineage"]],
    body: [
      sessionsSection(sessions),
      costsSection(sessions),
      familySection(report.families, "project"),
    ]
      .join("\n"),
  };
}

function sessionsSection(sessions: readonly ComparedSession[]): string {
  return chartSection({
    id: "sessions",
    title: "Window usage by session",
    lead: "Tokens now and after a trim; the newest session first.",
    label: `Tokens in the windows of ${grouped(sessions.length)} sessions, now and after a trim.`,
    empty: sessions.length === 0 ? "The project has no sessions." : null,
    tables: [{
      caption: "The windows of the sessions",
      columns: [
        "Session",
        "First prompt",
        "Started",
        "Ended",
        ...numbers("Tokens", "Full", "After a trim", "Peak", "Requests", "Compactions"),
      ],
      rows: sessions.map((one): Cell[] => [
        shortId(one.session_id),
        one.prompt,
        minuteOf(one.started),
        minuteOf(one.ended),
        one.pressure.tokens,
        one.pressure.percent === null ? null : `${one.pressure.percent}%`,
        one.tokens_after_trim,
        one.peak_tokens,
        one.requests,
        one.compactions,
      ]),
    }],
  });
}

function costsSection(sessions: readonly ComparedSession[]): string {
  return chartSection({
    id: "costs",
    title: "Cost by session",
    lead: "In fresh-input-token equivalents.",
    label: `Cost of ${grouped(sessions.length)} sessions.`,
    empty: sessions.length === 0 ? "The project has no sessions." : null,
    tables: [{
      caption: "Cost by session, in fresh-input-token equivalents",
      columns: ["Session", ...numbers("Turns", ...COST_PARTS, "All", "Misses")],
      rows: sessions.map((one): Cell[] => {
        const total = totalCost(one.cost) + one.agents;
        return [
          shortId(one.session_id),
          one.turns,
          ...costParts(one),
          Math.round(total),
          shareOf(one.cost.cache_miss, total),
        ];
      }),
    }],
  });
}
