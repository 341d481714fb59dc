/** The trail of a session as lines of a checkpoint. */

import { shownPath } from "./change_lines.ts";
import { oneLine } from "./item.ts";
import { saidLine } from "./lines.ts";
import type { Said, Trail } from "../../extract/work_state.ts";

/** The most characters of a step: the last answer is told nearly whole. */
const MAX_STEP_CHARS = 1_200;

const MAX_NAME_CHARS = 300;

const MAX_NAMES_CHARS = 1_200;

const LINK = /^https?:\/\//;

/** Words a step, a command or a refusal. */
export function stoppedLine(said: Said): string {
  return saidLine(said, MAX_STEP_CHARS);
}

export function gitLines({ branch, links }: Trail): string[] {
  const name = oneLine(branch, MAX_NAME_CHARS);
  return [
    name === "" ? "" : `Branch: ${name}`,
    ...links.map((link) => oneLine(link, MAX_NAME_CHARS)).filter((link) => LINK.test(link)),
  ];
}

export function nameLine({ names }: Trail): string {
  return oneLine(names.map((name) => oneLine(name, MAX_NAME_CHARS)).join(", "), MAX_NAMES_CHARS);
}

export function readLines({ read, plans }: Trail, projectDir: string): string[] {
  return [
    ...plans.map((file) => `Plan: ${shownPath(file, projectDir)}`),
    ...read.map((file) => shownPath(file, projectDir)),
  ];
}
