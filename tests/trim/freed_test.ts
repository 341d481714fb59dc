import { assert, assertEquals } from "@std/assert";
import { measureFreed } from "../../src/trim/freed.ts";
import { SessionBuilder, text } from "./build_session.ts";

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
  Deno.truncateSync(session.input, 64 * 1024 * 1024 + 1);
  assertEquals(measureFreed(session.input), null);
});

Deno.test("measureFreed() finds the newest answer even if a trim in place has rewritten it", () => {
  using session = new SessionBuilder()
    .user("please")
    .call("b", "Bash", { command: "ls" }, "a line of output\n".repeat(900))
    .assistant("m", [text("Done.")], { input_tokens: 9_000 })
    .write();
  const before = measureFreed(session.input)?.newest_at;
  assert(typeof before === "string");
  const boundary = { type: "system", subtype: "compact_boundary", uuid: crypto.randomUUID() };
  const answer = { role: "assistant", model: "<synthetic>", content: [text("Done.")] };
  const message = { id: "msg_new", ...answer, usage: { input_tokens: 0 } };
  const ids = { uuid: crypto.randomUUID(), parentUuid: boundary.uuid };
  const rebuilt = { type: "assistant", ...ids, timestamp: "2027-01-01T00:00:00.000Z", message };
  const lines = [{ ...boundary, parentUuid: null }, rebuilt].map((line) => JSON.stringify(line));
  Deno.writeTextFileSync(session.input, `${lines.join("\n")}\n`, { append: true });
  assertEquals(measureFreed(session.input)?.newest_at, before);
});
