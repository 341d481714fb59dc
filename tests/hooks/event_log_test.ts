import { assertEquals, assertThrows } from "@std/assert";
import { addEvent } from "../../src/events/log.ts";
import { inFolder } from "../folder.ts";

Deno.test("addEvent() refuses an event whose line exceeds the limit", () =>
  inFolder((projectDir) => {
    const now = new Date(Date.UTC(2026, 10, 24));
    const add = (chars: number): number => {
      const payload = { text: "- ".repeat(chars).slice(0, chars) };
      const path = addEvent({ type: "saved", source: "test", payload }, { projectDir, now });
      return Deno.statSync(path).size;
    };
    const empty = add(0);
    const limit = 64 * 1024;
    assertEquals(add(limit - empty), empty + limit);
    assertThrows(() => add(limit - empty + 1), RangeError, `it has ${limit + 1} bytes`);
  }));
