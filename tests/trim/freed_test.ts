import { assert, assertEquals } from "@std/assert";
import { measureFreed } from "../../src/trim/freed.ts";
import { SessionBuilder } from "./build_session.ts";

Deno.test("measureFreed() measures what each command would free, and returns null for a huge file", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("b", "Bash", { command: "ls" }, "a line of output\n".repeat(900))
    .call("c", "Write", { file_path: "/a", content: "x\n".repeat(900) }, "written")
    .write();
  const record = measureFreed(session.input, { keepRecent: 0 });
  assert(record !== null);
  assertEquals(record.bytes, Deno.statSync(session.input).size);
  assert(record.light > 0 && record.deep >= record.light && record.rollover >= record.deep);
  Deno.truncateSync(session.input, 64 * 1024 * 1024);
  assert(measureFreed(session.input) !== null);
  Deno.truncateSync(session.input, 64 * 1024 * 1024 + 1);
  assertEquals(measureFreed(session.input), null);
});
