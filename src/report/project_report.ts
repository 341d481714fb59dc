/** Gathers the data of a report that compares the sessions of a project. */

import { reasonOf } from "../store/atomic.ts";
import type { ContextConfig } from "../config/schema.ts";
import { type AnyPressure, pressureOrEstimate } from "../gauge/any_pressure.ts";
import { readLineage } from "../saved/lineage/file.ts";
import type { EnvReader } from "../store/paths.ts";
import { type ProjectSession, projectSessions } from "../transcript/find.ts";
import { trimSession } from "../trim/trim_session.ts";
import { familiesOf, type FamilyMember } from "./family.ts";
import type { RequestCost } from "./requests.ts";
import type { TrimChoices } from "../trim/trim_options.ts";
import { readHistory } from "./session_report.ts";
import { sumCosts } from "./turns.ts";

const MAX_COMPARED = 40;

export interface ProjectReportOptions {
  readonly projectDir: string;
  readonly configDir: string | undefined;
  readonly config: ContextConfig;
  readonly env: EnvReader;
  readonly trim: TrimChoices;
  readonly now: Date;
}

export interface ComparedSession {
  readonly session_id: string;
  /** The user's first request. */
  readonly prompt: string;
  /** Time of the first answer, ISO 8601; null if unknown. */
  readonly started: string | null;
  /** Time of the last answer, ISO 8601; null if unknown. */
  readonly ended: string | null;
  /** As in `status`. */
  readonly pressure: AnyPressure;
  /** As in `trim --dry-run`. */
  readonly tokens_after_trim: number;
  /** Tokens of the largest request. */
  readonly peak_tokens: number;
  readonly requests: number;
  readonly turns: number;
  readonly compactions: number;
  /** In fresh-input-token equivalents, without subagents. */
  readonly cost: RequestCost;
  /** Cost of subagents in the same file, in the same unit. */
  readonly agents: number;
  readonly bytes: number;
}

export interface ProjectReport {
  readonly kind: "project";
  readonly project: string;
  /** ISO 8601. */
  readonly created: string;
  /** The newest first. */
  readonly sessions: readonly ComparedSession[];
  /** Sessions that could not be read. */
  readonly unread: readonly { readonly session_id: string; readonly reason: string }[];
  /** Number of older sessions that were not compared. */
  readonly left_out: number;
  readonly families: readonly FamilyMember[];
}

/**
 * Permissions: `--allow-read` for `<configDir>/projects` and `<projectDir>/.claude/trimtab`, and the
 * permissions that `env` needs.
 */
export async function projectReport(options: ProjectReportOptions): Promise<ProjectReport> {
  const { projectDir, now } = options;
  const found = projectSessions(options);
  const sessions: ComparedSession[] = [];
  const unread: { session_id: string; reason: string }[] = [];
  for (const session of found.slice(0, MAX_COMPARED)) {
    try {
      sessions.push(await compared(session, options));
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable) throw error;
      unread.push({ session_id: session.id, reason: reasonOf(error) });
    }
  }
  return {
    kind: "project",
    project: projectDir,
    created: now.toISOString(),
    sessions,
    unread,
    left_out: Math.max(0, found.length - MAX_COMPARED),
    families: familiesOf(readLineage({ projectDir }).sessions, null),
  };
}

async function compared(
  session: ProjectSession,
  options: ProjectReportOptions,
): Promise<ComparedSession> {
  const { projectDir, configDir, config, env, now } = options;
  const { id, path } = session;
  const owner = { projectDir, configDir, sessionId: id };
  const pressure = await pressureOrEstimate({ transcript: path, owner, config, env });
  const plan = { ...options.trim, gauge: () => pressure };
  const trim = trimSession({ ...plan, session: { id, path }, now, dryRun: true });
  const { requests, marks, turns } = readHistory(path, { projectDir, hasWork: false });
  return {
    session_id: id,
    prompt: turns.find(({ prompt }) => prompt !== "")?.prompt ?? "",
    started: requests[0]?.time ?? null,
    ended: requests.at(-1)?.time ?? null,
    pressure,
    tokens_after_trim: trim.tokens.after,
    peak_tokens: requests.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    requests: requests.length,
    turns: turns.at(-1)?.last ?? 0,
    compactions: marks.filter(({ kind }) => kind === "compaction").length,
    cost: sumCosts(requests.map(({ cost }) => cost)),
    agents: turns.reduce((sum, turn) => sum + turn.agents, 0),
    bytes: session.bytes,
  };
}
