/**
 * Resumes a copy in the real client. A mock of the Messages API rejects the same requests as the real API.
 */

import { newHome, runClient } from "../tests/e2e/bed/client.ts";
import { startMock } from "../tests/e2e/bed/mock_api.ts";
import { parse } from "./regret_points.ts";

/** Returns why a copy cannot be resumed; undefined if the client sends a request that the API accepts. */
export async function resumeFault(copy: readonly string[]): Promise<string | undefined> {
  const id = copy.map((line) => parse(line)?.sessionId).findLast((id) => typeof id === "string");
  if (id === undefined) return "the copy contains no session id";
  using home = newHome();
  Deno.writeTextFileSync(`${home.sessions}/${id}.jsonl`, copy.join("\n") + "\n");
  await using mock = startMock({ turns: ["Going on."], expectsViolations: true });
  const args = ["--resume", id];
  const { code, stderr, stdout } = await runClient({ home, mock, prompt: "Go on.", args });
  if (mock.violations.length > 0) return mock.violations[0];
  if (mock.of("main").length > 0 && code === 0) return undefined;
  return (stderr || stdout).trim().split("\n")[0] || `the client ended with exit code ${code}`;
}
