import { assertEquals, assertStringIncludes } from "@std/assert";
import { idOf, newPlace } from "./place.ts";

const COMMANDS = [
  "trim SESSION",
  "trim --dry-run SESSION",
  "rescue SESSION",
  "status SESSION",
  "report SESSION",
  "checkpoint SESSION",
  "snapshot SESSION",
  "search hello SESSION",
  "show SESSION:1",
  "rollover --auto",
];

Deno.test("commands that read a session refuse another agent's transcript, and write nothing", async (t) => {
  using place = newPlace();
  const path = place.add(idOf(7), [
    { timestamp: "2026-01-05T09:00:00Z", type: "session_meta", payload: { id: idOf(7) } },
    { timestamp: "2026-01-05T09:00:01Z", type: "response_item", payload: { type: "message" } },
  ]);
  const before = place.files();
  for (const command of COMMANDS) {
    for (const session of [path, idOf(7)]) {
      const [name = "", ...args] = command.replace("SESSION", session).split(" ");
      await t.step(`${command} by ${session === path ? "path" : "id"}`, async () => {
        const env = { CLAUDE_CODE_SESSION_ID: idOf(7) };
        const error = await place.error(`scripts/${name}.ts`, args, { env });
        assertStringIncludes(error, "is not a Claude Code session");
        assertEquals(place.files(), before);
      });
    }
  }
});
