import { assertEquals } from "@std/assert";
import { escapeHtml } from "../../src/report/words.ts";
import "../own_config.ts";

Deno.test("escapeHtml() escapes markup and characters that reverse or hide text", () => {
  assertEquals(escapeHtml("\u202e\x1b[31m<b>\x1b[0m\0 &\r\n"), "&lt;b&gt; &amp;\n");
});
