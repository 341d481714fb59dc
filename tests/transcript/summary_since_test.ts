import { assertEquals } from "@std/assert";
import { hasSummarySince } from "../../src/transcript/summary_since.ts";
import "../own_config.ts";

Deno.test("hasSummarySince() sees the summary of a compaction that was written later, and no other", () => {
  const path = Deno.makeTempFileSync();
  try {
    const before = '{"type":"user","isCompactSummary":true,"message":{}}\n{"type":"user"}\n';
    Deno.writeTextFileSync(path, before);
    assertEquals(hasSummarySince(path, 0), true);
    assertEquals(hasSummarySince(path, before.length), false);
    Deno.writeTextFileSync(path, '{"type":"user","isCompactSummary":true}\n', { append: true });
    assertEquals(hasSummarySince(path, before.length), true);
    assertEquals(hasSummarySince(path, before.length * 9), false);
    assertEquals(hasSummarySince(`${path}.gone`, 0), false);
  } finally {
    Deno.removeSync(path);
  }
});
