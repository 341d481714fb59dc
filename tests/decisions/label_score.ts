// Scores extracted items against the labels of tests/fixtures/labels; the README there explains the
// measure.

import { readEntries } from "../../src/transcript/entry.ts";
import { feedSession, type NumberedEntry } from "../../src/extract/session_events.ts";
import type { Collector } from "../../src/core/work_state.ts";

export const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

const LABELS = new URL("../fixtures/labels/", import.meta.url);

/** A labelled fact; every correct extraction contains its keywords. */
export interface Label {
  readonly line: number;
  readonly keywords: readonly string[];
  readonly optional?: boolean;
}

export interface LabelFile {
  readonly session: string;
  readonly split: "tune" | "report";
  readonly decisions: readonly Label[];
}

export interface Score {
  readonly hits: number;
  readonly items: number;
  readonly found: number;
  readonly labels: number;
}

export const NO_SCORE: Score = { hits: 0, items: 0, found: 0, labels: 0 };

export function readLabels(): LabelFile[] {
  return [...Deno.readDirSync(LABELS)].map(({ name }) => name)
    .filter((name) => name.endsWith(".json")).sort()
    .map((name): LabelFile => JSON.parse(Deno.readTextFileSync(new URL(name, LABELS))))
    .filter(({ session }) => exists(`${CORPUS}/${session}`));
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

export function feed(session: string, collectors: Collector[]): void {
  feedSession(entriesOf(`${CORPUS}/${session}`), collectors);
}

function* entriesOf(path: string): Generator<NumberedEntry> {
  const encoder = new TextEncoder();
  for (const [at, line] of Deno.readTextFileSync(path).split("\n").entries()) {
    for (const entry of readEntries(encoder.encode(line))) yield { entry, line: at + 1 };
  }
}

/** Compares items with labels; an item that only repeats others is not counted. */
export function scoreItems(texts: readonly string[], labels: readonly Label[]): Score {
  const met = new Set<Label>();
  let hits = 0;
  let items = 0;
  for (const text of texts) {
    const hit = labels.filter((label) => hasKeywords(text, label));
    if (hit.length > 0 && hit.every((label) => met.has(label))) continue;
    items++;
    if (hit.length > 0) hits++;
    for (const label of hit) met.add(label);
  }
  const counted = labels.filter((label) => label.optional !== true);
  const found = counted.filter((label) => met.has(label)).length;
  return { hits, items, found, labels: counted.length };
}

function hasKeywords(text: string, { keywords }: Label): boolean {
  const low = text.toLowerCase();
  return keywords.every((word) => word.split("|").some((one) => low.includes(one.toLowerCase())));
}

export function addScores(one: Score, other: Score): Score {
  return {
    hits: one.hits + other.hits,
    items: one.items + other.items,
    found: one.found + other.found,
    labels: one.labels + other.labels,
  };
}

export function precision({ hits, items }: Score): number {
  return items === 0 ? 1 : hits / items;
}

export function recall({ found, labels }: Score): number {
  return labels === 0 ? 1 : found / labels;
}
