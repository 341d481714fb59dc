/** The trail of a session as lines of a checkpoint, and those lines as a trail again. */

import { shownPath } from "./change_lines.ts";
import { oneLine } from "./item.ts";
import { saidLine } from "./lines.ts";
import type { Said, Trail } from "../../extract/work_state.ts";

/** The most characters of a step: the last answer is told nearly whole. */
const MAX_STEP_CHARS = 1_200;

const MAX_NAME_CHARS = 300;

const MAX_NAMES_CHARS = 1_200;

/** How the lines begin that are not read as a link or as a file. */
const BRANCH = "Branch: ";
const PLAN = "Plan: ";

const LINK = /^https?:\/\//;

const ITEM = /^\s{0,12}[-*+]\s+(.*?)\s*$/;

/** Words a step, a command or a refusal. */
export function stoppedLine(said: Said): string {
  return saidLine(said, MAX_STEP_CHARS);
}

export function gitLines({ branch, links }: Trail): string[] {
  const name = oneLine(branch, MAX_NAME_CHARS);
  return [
    name === "" ? "" : `${BRANCH}${name}`,
    ...links.map((link) => oneLine(link, MAX_NAME_CHARS)).filter((link) => LINK.test(link)),
  ];
}

export function readGit(lines: readonly string[]): Pick<Trail, "branch" | "links"> {
  const items = itemsOf(lines);
  const branch = items.find((item) => item.startsWith(BRANCH)) ?? "";
  return {
    branch: branch.slice(BRANCH.length),
    links: items.filter((item) => LINK.test(item)),
  };
}

export function nameLine({ names }: Trail): string {
  return oneLine(names.map((name) => oneLine(name, MAX_NAME_CHARS)).join(", "), MAX_NAMES_CHARS);
}

export function readNames(lines: readonly string[]): string[] {
  return itemsOf(lines).flatMap((item) => item.split(", ")).filter((name) => name !== "");
}

export function readLines({ read, plans }: Trail, projectDir: string): string[] {
  return [
    ...plans.map((file) => `${PLAN}${shownPath(file, projectDir)}`),
    ...read.map((file) => shownPath(file, projectDir)),
  ];
}

export function readFiles(lines: readonly string[]): Pick<Trail, "read" | "plans"> {
  const items = itemsOf(lines);
  const isPlan = (item: string): boolean => item.startsWith(PLAN);
  return {
    read: items.filter((item) => !isPlan(item)),
    plans: items.filter(isPlan).map((item) => item.slice(PLAN.length)),
  };
}

function itemsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => ITEM.exec(line)?.[1] ?? []).filter((item) => item !== "");
}
