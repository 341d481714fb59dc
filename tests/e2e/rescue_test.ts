/**
 * Tests `trimtab rescue` with the real client: a broken session fails or loses text, and its repaired copy
 * resumes.
 */

import { assert, assertEquals, assertExists, assertMatch } from "@std/assert";
import { rescueSession } from "../../src/doctor/repair/rescue.ts";
import { partOf } from "../full.ts";
import { newHome, runClient, runClientWell, type TestHome } from "./bed/client.ts";
import { type LoggedRequest, type Mock, startMock, textOf } from "./bed/mock_api.ts";
import { isNewerClient } from "./bed/version.ts";
import { assistant, type Line, user, writeTranscript } from "./golden/lines.ts";
import { BROKEN_SESSIONS, type BrokenSession, TOLERATED } from "./rescue_cases.ts";

const CLIENTS = 2;

const IN_GATE = 2;

const IS_NEWER = await isNewerClient();

function lastExchange(parent: string): Line[] {
  return [user("uz", parent, "question z"), assistant("az", "uz", "answer z")];
}

/** Returns a request's text without reminders, which contain the date. */
function visibleText(request: LoggedRequest | undefined): string {
  assertExists(request);
  return textOf(request).replaceAll(/<system-reminder>.*?<\/system-reminder>\s*/gs, "");
}

interface Seen {
  kinds: string[];
  before: { code: number; trouble: string; requests: LoggedRequest[] };
  after: LoggedRequest[];
}

async function rescueAndResume(
  home: TestHome,
  mock: Mock,
  sessionId: string,
): Promise<Seen> {
  const path = `${home.sessions}/${sessionId}.jsonl`;
  const bytes = Deno.readFileSync(path);
  const rescued = rescueSession({ session: { id: sessionId, path } });
  assertEquals(Deno.readFileSync(path), bytes, "the session must only be read");
  assertExists(rescued.session_id);
  const kinds = rescued.findings.map(({ kind }) => kind).sort();
  const args = ["--resume", sessionId];
  const broken = await runClient({ home, mock, prompt: "go on", args });
  const requests = mock.of("main");
  const trouble = `${broken.json?.result ?? ""}\n${broken.stdout}\n${broken.stderr}`;
  const run = await runClientWell({
    home,
    mock,
    prompt: "go on",
    args: ["--resume", rescued.session_id],
  });
  assertEquals(run.json?.result, "Done.");
  const after = mock.of("main").slice(requests.length);
  return { kinds, before: { code: broken.code, trouble, requests }, after };
}

function checkBefore(
  expected: BrokenSession["before"],
  { code, trouble, requests }: Seen["before"],
): void {
  // Newer clients repair some damage themselves, so there may be no failure or loss to check.
  if (IS_NEWER && code === 0) return;
  if ("client" in expected) {
    assertEquals([code, requests.length], [1, 0], trouble);
    assertMatch(trouble, expected.client);
  } else if ("api" in expected) {
    assertMatch(requests[0]?.violation ?? "", expected.api);
  } else {
    assertEquals(code, 0, trouble);
    assert(
      !visibleText(requests[0]).includes(expected.loses),
      "the client must have lost something",
    );
  }
}

async function checkCase(session: BrokenSession): Promise<void> {
  using home = newHome();
  await using mock = startMock({ expectsViolations: true });
  const lines = [...session.lines, ...lastExchange(session.end ?? "a2")];
  const id = writeTranscript(home, lines, session.finish);
  const { kinds, before, after } = await rescueAndResume(home, mock, id);
  assertEquals(kinds, session.kinds);
  checkBefore(session.before, before);
  assertEquals(after.map(({ violation }) => violation), [null]);
  const text = visibleText(after[0]);
  const exchanges = [1, 2, "z"].flatMap((name) => [`question ${name}`, `answer ${name}`]);
  for (const part of [...exchanges, ...session.after ?? []]) {
    assert(text.includes(part), `${part} did not reach the model:\n${text}`);
  }
}

Deno.test("rescueSession() repairs sessions that failed to resume or lost text", async (t) => {
  const outcomes = new Map<string, unknown>();
  const cases = partOf(BROKEN_SESSIONS, IN_GATE, "broken sessions");
  const queue = [...cases];
  async function work(): Promise<void> {
    for (let session = queue.shift(); session !== undefined; session = queue.shift()) {
      const { name } = session;
      outcomes.set(name, await checkCase(session).catch((error) => error));
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work));
  for (const { name } of cases) {
    await t.step(name, () => {
      const error = outcomes.get(name);
      if (error !== undefined) throw error;
    });
  }
});

Deno.test("rescueSession() removes nothing from a session that the client can handle by itself", async () => {
  using home = newHome();
  await using mock = startMock();
  const id = writeTranscript(home, [...TOLERATED.lines, ...lastExchange("a5")]);
  const { kinds, before, after } = await rescueAndResume(home, mock, id);
  assertEquals(kinds, TOLERATED.kinds);
  assertEquals(before.code, 0);
  assertEquals(visibleText(after[0]), visibleText(before.requests[0]));
});
