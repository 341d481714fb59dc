import { assertEquals, assertStringIncludes } from "@std/assert";
import { idOf, newPlace } from "./place.ts";

/** Commands that take a session as the next argument. */
const COMMANDS: readonly (readonly string[])[] = [
  ["trim"],
  ["trim", "--dry-run"],
  ["rescue"],
  ["status"],
  ["report"],
  ["checkpoint"],
  ["snapshot"],
  ["search", "hello"],
  ["show"],
];

Deno.test("every command refuses another agent's transcript and writes nothing", async (t) => {
  using place = newPlace();
  const path = place.add(idOf(7), [
    { timestamp: "2026-01-05T09:00:00Z", type: "session_meta", payload: { id: idOf(7) } },
    { timestamp: "2026-01-05T09:00:01Z", type: "response_item", payload: { type: "message" } },
  ]);
  const before = place.files();
  for (const [command = "", ...args] of COMMANDS) {
    for (const name of [path, idOf(7)]) {
      await t.step(
        `${[command, ...args].join(" ")} by ${name === path ? "path" : "id"}`,
        async () => {
          const named = command === "show" ? `${name}:1` : name;
          const { code, stdout, stderr } = await place.run(`scripts/${command}.ts`, [
            ...args,
            named,
          ]);
          assertEquals([code, stdout], [1, ""]);
          assertStringIncludes(stderr, "is not a Claude Code session");
          assertEquals(place.files(), before);
        },
      );
    }
  }
  await t.step("trimtab rollover in the session", async () => {
    const env = { CLAUDE_CODE_SESSION_ID: idOf(7) };
    const { code, stdout, stderr } = await place.run("scripts/rollover.ts", ["--auto"], { env });
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "is not a Claude Code session");
    assertEquals(place.files(), before);
  });
});
