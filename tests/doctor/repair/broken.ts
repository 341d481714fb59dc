/**
 * A home folder with one session, which tests break and rescue.
 *
 * @module
 */

import { assertEquals, assertMatch } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { type RescueResult, rescueSession } from "../../../src/doctor/repair/rescue.ts";

export const ID = "11111111-0000-4000-8000-000000000000";
export const COPY = "22222222-0000-4000-8000-000000000000";
export const NOW = new Date("2026-01-05T09:00:00Z");

export type Json = Record<string, unknown>;

/** Makes a line of the session, with the keys in the client's order. */
export function messageLine(
  uuid: string,
  parentUuid: string | null,
  content: unknown,
  rest: Json = {},
): Json {
  const role = uuid.startsWith("a") ? "assistant" : "user";
  const message = { ...(role === "assistant" ? { id: `msg_${uuid}` } : {}), role, content };
  const second = Number(/\d+/.exec(uuid)?.[0] ?? 0);
  const timestamp = new Date(NOW.getTime() + second * 1000).toISOString();
  const ids = { uuid, sessionId: ID };
  return { parentUuid, isSidechain: false, type: role, message, ...ids, timestamp, ...rest };
}

export function exchange(n: number): Json[] {
  return [
    messageLine(`u${n}`, n === 1 ? null : `a${n - 1}`, `question ${n}`),
    messageLine(`a${n}`, `u${n}`, [{ type: "text", text: `answer ${n}` }]),
  ];
}

export function textOf(lines: readonly (Json | string)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`)
    .join("");
}

export class Home implements Disposable {
  readonly config: string = Deno.makeTempDirSync({ prefix: "trimtab-rescue-" });
  readonly sessions: string = `${this.config}/projects/-p`;
  readonly path: string = `${this.sessions}/${ID}.jsonl`;

  constructor(text: string) {
    ensureDirSync(this.sessions);
    Deno.writeTextFileSync(this.path, text);
  }

  rescue(options: { dryRun?: boolean; dropThinking?: boolean } = {}): RescueResult {
    let made = 0;
    const newId = (): string => made++ === 0 ? COPY : `new-${made}`;
    return rescueSession({ session: { id: ID, path: this.path }, newId, now: NOW, ...options });
  }

  /** Returns the copy's lines with the original id, without the added title line and `rescue_metadata`. */
  copied(): string[] {
    const lines = Deno.readTextFileSync(`${this.sessions}/${COPY}.jsonl`).split("\n");
    assertEquals(lines.pop(), "");
    assertMatch(lines.pop() ?? "", /^\{"type":"custom-title","customTitle":".* \(rescued\)"/);
    return lines.map((line) =>
      line.replace(/,"rescue_metadata":\{.*"trimtab_version":"[^"]*"\}/, "").replace(COPY, ID)
    );
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.config, { recursive: true });
  }
}

export function objectsOf(home: Home): Json[] {
  return home.copied().filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
}
