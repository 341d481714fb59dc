// Makes a project with one session, for tests of the verbs.

import { tempProject } from "../saved/checkpoints.ts";

export const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";

export interface Place extends Disposable {
  readonly cwd: string;
  readonly configDir: string;
  readonly session: string;
}

/** @param others More lines of the session, in addition to the request and the answer. */
export function sessionPlace(
  request: string,
  answer: string,
  others: readonly unknown[] = [],
): Place {
  const place = tempProject();
  const { projectDir: cwd, configDir } = place;
  const session = `${cwd}/${SESSION}.jsonl`;
  const shared = { sessionId: SESSION, timestamp: "2026-03-01T12:00:00.000Z" };
  const entry = (type: string, uuid: string, parentUuid: string | null, content: unknown) => ({
    ...{ type, uuid, parentUuid, ...shared, message: { role: type, content } },
  });
  const entries = [
    entry("user", "u1", null, request),
    entry("assistant", "a1", "u1", [{ type: "text", text: answer }]),
    ...others,
  ];
  Deno.writeTextFileSync(session, entries.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return { cwd, configDir, session, [Symbol.dispose]: () => place[Symbol.dispose]() };
}
