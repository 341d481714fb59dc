import { shortId } from "../core/marks.ts";
import { counted, grouped } from "../inject/bound.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { fileName } from "../store/paths.ts";
import { isWorthwhile } from "../gauge/advice.ts";
import { cutOffText } from "../trim/report_text.ts";
import { describeWorth } from "../trim/worth.ts";
import { KIND_NAMES } from "./contents.ts";
import { type Cell, chartSection, numberColumns, type PageContent } from "./markup.ts";
import { COST_PARTS, costParts, sumCosts, totalCost, turnName } from "./requests.ts";

import type { SessionReport } from "./session_report.ts";
import { escapeHtml, minuteOf, shareOf } from "./words.ts";

export function sessionSections(report: SessionReport): PageContent {
  const title = `Session ${shortId(report.session_id)}`;
  return {
    title: `${title} – trimtab report`,
    header: header(report, title),
    links: [
      ["window", "Window"],
      ["contents", "Contents"],
      ["largest", "Largest entries"],
      ["turns", "Cost"],
    ],
    body: [
      windowSection(report),
      contentsSection(report),
      largestSection(report),
      turnsSection(report),
    ].join("\n"),
  };
}

function header(report: SessionReport, title: string): string {
  const { pressure, trim, requests, turns } = report;
  const { tokens, limit, percent, level } = pressure;
  const task = turns.find(({ prompt }) => prompt !== "")?.prompt ?? "";
  const facts = [
    fileName(report.project),
    excerptLine(pressure.model ?? "", 60),
    requests.length === 0
      ? ""
      : `${minuteOf(requests[0]?.time ?? null)} to ${minuteOf(requests.at(-1)?.time ?? null)}`,
  ].filter((fact) => fact !== "");
  const cost = sumCosts(requests.map((request) => request.cost));
  const agents = turns.reduce((sum, turn) => sum + turn.agents, 0);
  const read = requests.reduce((sum, request) => sum + request.cache_read_tokens, 0);
  const sent = requests.reduce((sum, request) => sum + request.tokens, 0);
  const compactions = report.marks.filter(({ kind }) => kind === "compaction").length;
  const { before, after } = trim.tokens;
  const cards = [
    card(
      "In the window",
      `${percent}%`,
      `${grouped(tokens)} of ${grouped(limit)} tokens${
        ["estimate", "trim"].includes(pressure.source) ? ", estimated" : ""
      }`,
      level,
    ),
    card(
      "After a trim",
      `${trim.percent.after}%`,
      `${grouped(after)} tokens, ${grouped(before - after)} fewer`,
    ),
    card("Cost so far", grouped(totalCost(cost) + agents), "fresh-input-token equivalents"),
    card("Read from the cache", shareOf(read, sent), `of ${grouped(sent)} tokens sent`),
    card(
      "Requests",
      grouped(requests.length),
      `${counted(turns.at(-1)?.number ?? 0, "turn")}, ${counted(compactions, "compaction")}`,
    ),
  ];
  return `<h1>${escapeHtml(title)}</h1>
${task === "" ? "" : `<p class="task">${escapeHtml(task)}</p>\n`}<p class="facts">${
    facts.map((fact) => `<span>${escapeHtml(fact)}</span>`).join(" ")
  }</p>
<dl class="cards">
${cards.join("\n")}
</dl>
${
    trim.is_cut_off
      ? `<p class="advice">${
        escapeHtml(cutOffText(report.session_id, trim.is_start_missing))
      }</p>\n`
      : ""
  }<p class="advice">${escapeHtml(report.recommendation)} ${
    // A trim that frees little is not recommended, so its costs and savings are not shown.
    isWorthwhile(trim.tokens) ? escapeHtml(describeWorth(trim.worth)) : ""}</p>`;
}

function card(name: string, value: string, note: string, level = ""): string {
  const mark = level === ""
    ? ""
    : ` <span class="level ${escapeHtml(level)}">${escapeHtml(level)}</span>`;
  return `<div class="card"><dt>${escapeHtml(name)}</dt><dd><strong>${
    escapeHtml(value)
  }</strong>${mark}<span class="note">${escapeHtml(note)}</span></dd></div>`;
}

function windowSection(report: SessionReport): string {
  const { requests, marks, pressure } = report;
  const peak = requests.reduce((max, { tokens }) => Math.max(max, tokens), 0);
  return chartSection({
    id: "window",
    title: "The window over time",
    lead: `The tokens of each request, against the window of ${
      grouped(pressure.window)
    } tokens and the warning levels. Each point is a request.`,
    label: `Tokens in the window over ${counted(requests.length, "request")}, at most ${
      grouped(peak)
    } of ${grouped(pressure.window)}, with ${counted(marks.length, "mark")}.`,
    empty: requests.length === 0 ? "The session has no answered requests yet." : null,
    tables: [
      {
        caption: "Tokens in the window by request",
        columns: [
          ...numberColumns("Request"),
          "Time",
          ...numberColumns("Tokens", "Cache reads", "Cache writes", "Cache misses", "Output"),
        ],
        rows: requests.map((request): Cell[] => [
          request.number,
          minuteOf(request.time),
          request.tokens,
          request.cache_read_tokens,
          request.cache_write_tokens,
          request.missed_tokens,
          request.output_tokens,
        ]),
      },
      ...(marks.length === 0 ? [] : [{
        caption: "Compactions, trims and checkpoints",
        columns: ["Event", ...numberColumns("After request"), "Time"],
        rows: marks.map(({ text, after, time }): Cell[] => [text, after, minuteOf(time)]),
      }]),
    ],
  });
}

function contentsSection(report: SessionReport): string {
  const { contents, trim, pressure } = report;
  const total = contents.groups.reduce((sum, { tokens }) => sum + tokens, 0);
  const since = contents.since === 0
    ? ""
    : ` About ${grouped(contents.since)} were added after the newest request and are included.`;
  const source = pressure.source === "trim"
    ? `The trim estimated ${grouped(contents.tokens)} tokens; the shares are estimates, too.`
    : trim.tokens_source !== "estimate"
    ? `The newest request had ${grouped(contents.tokens)} tokens according to ${
      trim.tokens_source === "api" ? "the API's own figure" : "a metadata line"
    }; the shares are estimates.`
    : "All figures are estimates, because the usage is not known.";
  return chartSection({
    id: "contents",
    title: "Contents of the window now",
    lead: `${source}${since} The system prompt and tools account for the rest.`,
    label: `Shares of the window: ${
      contents.groups.map(({ name, tokens }) => `${name} ${shareOf(tokens, total)}`).join(", ")
    }.`,
    empty: contents.groups.length === 0 ? "The window is still empty." : null,
    // The legend identifies areas that are too small for a label.
    extra: `<ul class="legend">${
      contents.groups.map(({ kind, name, tokens }) =>
        `<li><span class="swatch ${kind}"></span>${name} ${escapeHtml(shareOf(tokens, total))}</li>`
      ).join("")
    }</ul>\n`,
    tables: [{
      caption: "Tokens in the window by kind",
      columns: ["Kind", "Part", ...numberColumns("Tokens", "Share", "Blocks")],
      rows: contents.groups.flatMap((group) =>
        group.parts.map((part): Cell[] => [
          group.name,
          part.name === group.name ? "" : part.name,
          part.tokens,
          shareOf(part.tokens, total),
          part.count,
        ])
      ),
    }],
  });
}

function largestSection(report: SessionReport): string {
  const { contents: { largest }, trim, largest_lines: lines } = report;
  const freed = trim.tokens.before - trim.tokens.after;
  return chartSection({
    id: "largest",
    title: "The largest entries",
    lead:
      `The entries that take the most room (${grouped(largest.length)}), and how much of each ` +
      `entry a trim would free. Altogether, it would free ${grouped(freed)} tokens.`,
    label: `The largest entries (${
      grouped(largest.length)
    }), with the tokens that a trim would free from each.`,
    empty: largest.length === 0 ? "There are no entries in the window yet." : null,
    tables: [{
      caption: "The largest entries in the window",
      columns: [
        "Entry",
        "About",
        ...numberColumns("Tokens", "Freed by a trim", "Characters"),
        "Shown by",
      ],
      rows: largest.map((entry, index): Cell[] => [
        entry.tool === ""
          ? KIND_NAMES[entry.kind]
          : `${entry.tool}, ${KIND_NAMES[entry.kind].toLowerCase()}`,
        entry.about,
        entry.tokens,
        entry.freed,
        entry.chars,
        lines[index] === null || lines[index] === undefined
          ? null
          : `trimtab show ${shortId(report.session_id)}:${lines[index]}`,
      ]),
    }],
  });
}

function turnsSection(report: SessionReport): string {
  const { turns } = report;
  const total = turns.reduce((sum, turn) => sum + turn.total, 0);
  const missed = turns.reduce((sum, turn) => sum + turn.missed_tokens, 0);
  return chartSection({
    id: "turns",
    title: "Cost by turn",
    lead: "In fresh-input-token equivalents. Cache reads are cheap, and cache writes are not. " +
      `${
        missed === 0
          ? "No large part of the cache had to be paid for again."
          : `${grouped(missed)} tokens had been in the cache and were paid for again.`
      }`,
    label: `Cost of ${counted(turns.length, "turn")}, ${grouped(total)} in total.`,
    empty: turns.length === 0 ? "The session has no costs yet." : null,
    tables: [{
      caption: "Cost by turn, in fresh-input-token equivalents",
      columns: ["Turn", "Prompt", ...numberColumns("Requests", ...COST_PARTS, "Total")],
      rows: turns.map((turn): Cell[] => [
        turnName(turn),
        turn.prompt,
        turn.requests,
        ...costParts(turn),
        Math.round(turn.total),
      ]),
    }],
  });
}
