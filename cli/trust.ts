/**
 * Handles saves that were not written on this machine. A user can read such a save and accept it with
 * `--trust`; without that, the model never receives it.
 */

import { buildContext } from "../src/inject/context.ts";
import { FOREIGN_LABEL } from "../src/store/ours.ts";
import { flag } from "./spec.ts";

export const TRUST_OPTION = flag("trust", "accept a save that was not written on this machine");

interface TrustOptions {
  readonly trust?: boolean;
  readonly skill?: boolean;
}

/** Returns false in a skill, which cannot accept a foreign save. */
export function isTrusting({ trust = false, skill = false }: TrustOptions): boolean {
  return trust && !skill;
}

/** Returns an empty string for a save of this machine; throws if a skill would pass on a foreign save. */
export function noticeOn(
  what: string,
  isMarkedAsOwn: boolean,
  { skill = false }: TrustOptions,
): string {
  if (isMarkedAsOwn) return "";
  if (!skill) {
    return `${capital(what)} was ${FOREIGN_LABEL}. Use --trust to accept it.`;
  }
  throw new Error(
    `${
      capital(what)
    } was ${FOREIGN_LABEL}, so it is not passed to you. Tell the user; do nothing ` +
      "else. In a terminal, `trimtab restore ID` shows it, and `--trust` accepts it.",
  );
}

export function withNotice(notice: string, text: string): string {
  return notice === "" ? text : `${notice}\n\n${text}`;
}

export function fenced(source: string, text: string): string {
  return buildContext([{ source, text }], Infinity);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
