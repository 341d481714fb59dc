/**
 * Makes a project with running sessions.
 *
 * @module
 */

import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import type { StateOwner } from "../../src/store/state.ts";
import { projectFolderName } from "../../src/transcript/find.ts";
import { type FleetStatus, inspectSessions } from "../../src/watch/inspect.ts";
import { answer, type Line, user, writeLines } from "../gauge/transcript.ts";
import "../own_config.ts";

export const NOW_MS = Date.parse("2026-03-01T10:00:00.000Z");

export interface SessionShape {
  /** Null for a session without an answer. */
  readonly tokens?: number | null;
  readonly agoMs?: number;
  readonly folder?: string;
  /** The start folder that the session records; null if it records none. */
  readonly cwd?: string | null;
  readonly more?: readonly Line[];
}

export interface Fleet extends Disposable {
  readonly projectDir: string;
  readonly configDir: string;
  readonly add: (n: number, shape?: SessionShape) => string;
  readonly owner: (n: number) => StateOwner;
  readonly look: (laterMs?: number) => Promise<FleetStatus>;
}

export function newFleet(): Fleet {
  const projectDir = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-fleet-" }));
  const configDir = `${projectDir}/config`;
  return {
    projectDir,
    configDir,
    add: (n, shape = {}) => addSession({ projectDir, configDir }, n, shape),
    owner: (n) => ({ projectDir, configDir, sessionId: sessionId(n) }),
    look: (laterMs = 0) =>
      inspectSessions({
        projectDir,
        configDir,
        nowMs: NOW_MS + laterMs,
        intervalMs: 30_000,
        config: DEFAULT_CONFIG.context,
        env: () => undefined,
      }),
    [Symbol.dispose]: () => Deno.removeSync(projectDir, { recursive: true }),
  };
}

export function sessionId(n: number): string {
  return `${String(n).repeat(8).slice(0, 8)}-0000-4000-8000-000000000000`;
}

function addSession(
  { projectDir, configDir }: Pick<Fleet, "projectDir" | "configDir">,
  n: number,
  shape: SessionShape,
): string {
  const { tokens = 20_000, agoMs = 0, more = [], cwd = projectDir } = shape;
  const { folder = projectFolderName(projectDir) } = shape;
  const written = new Date(NOW_MS - agoMs);
  const extra = { timestamp: written.toISOString(), ...(cwd === null ? {} : { cwd }) };
  const path = `${configDir}/projects/${folder}/${sessionId(n)}.jsonl`;
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  const answers = tokens === null ? [] : [answer("a", "u", tokens, extra)];
  writeLines(path, [user("u", null, extra), ...answers, ...more]);
  Deno.utimeSync(path, written, written);
  return path;
}
