import { assertEquals } from "@std/assert";
import { summarySince } from "../../src/transcript/summary_since.ts";
import "../own_config.ts";

Deno.test("summarySince() takes the summary of a compaction that was written later, and no other", () => {
  const path = Deno.makeTempFileSync();
  try {
    const before =
      '{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"It went well."}}\n{"type":"user"}\n';
    Deno.writeTextFileSync(path, before);
    assertEquals(summarySince(path, 0), "It went well.");
    assertEquals(summarySince(path, before.length), null);
    Deno.writeTextFileSync(
      path,
      '{"type":"user","isCompactSummary":true,"message":{"role":"user","content":[{"type":"text","text":"Again."}]}}\n',
      { append: true },
    );
    assertEquals(summarySince(path, before.length), "Again.");
    assertEquals(summarySince(path, before.length * 9), null);
    assertEquals(summarySince(`${path}.gone`, 0), null);
  } finally {
    Deno.removeSync(path);
  }
});
