import { assert, assertEquals } from "@std/assert";
import { mediaTokens, replaceMedia } from "../../src/trim/media.ts";
import { isMedia } from "../../src/transcript/content.ts";
import { isAlreadyMasked } from "../../src/trim/placeholder.ts";
import { picture } from "./build_session.ts";

function document(source: Record<string, unknown>, title?: string): Record<string, unknown> {
  return { type: "document", source, ...(title === undefined ? {} : { title }) };
}

function pdf(pages: number): Record<string, unknown> {
  const page = "<< /Type /Pages >> << /Type/Page /Parent 1 0 R >>\n";
  const data = btoa("%PDF-1.7\n" + page.repeat(pages));
  return document({ type: "base64", media_type: "application/pdf", data });
}

Deno.test("replaceMedia() describes a picture and its origin", () => {
  const found = replaceMedia(picture(30, 20, 1000), {
    toolName: "mcp__shots__take",
    input: { path: 'a "b"\n.png' },
  });
  assertEquals(
    found?.placeholder,
    '[image result masked -- 1000 bytes, type: "image/png", size: "30x20", from: ' +
      '"mcp__shots__take", file: "a \\"b\\"\\n.png"]',
  );
  assertEquals(found?.charsSaved, 1336 - (found?.placeholder.length ?? 0));
  assert(isAlreadyMasked(found?.placeholder ?? ""));
});

Deno.test("replaceMedia() trusts the media type of unreadable data", () => {
  const source = { type: "base64", media_type: "image/webp", data: "no base64! ".repeat(40) };
  assertEquals(
    replaceMedia({ type: "image", source }, {})?.placeholder,
    '[image result masked -- 330 bytes, type: "image/webp", from: "user"]',
  );
});

Deno.test("replaceMedia() names a document by its title", () => {
  const text = "naïve text\n".repeat(30);
  const source = { type: "text", media_type: "text/plain", data: text };
  assertEquals(
    replaceMedia(document(source, "Notes [draft]"), {})?.placeholder,
    '[document result masked -- 360 bytes, type: "text/plain", title: "Notes [draft]", from: "user"]',
  );
});

Deno.test("replaceMedia() keeps a block that is shorter than its line would be", () => {
  const url = { type: "image", source: { type: "url", url: "https://example.org/a.png" } };
  assertEquals(replaceMedia(url, {}), undefined);
  assertEquals(replaceMedia({ type: "image" }, {}), undefined);
  assertEquals(replaceMedia({ type: "image", source: { data: "AAAA" } }, {}), undefined);
});

Deno.test("mediaTokens() prices a picture by its size and the model's limits", () => {
  assertEquals(mediaTokens(picture(280, 280), undefined), 100);
  assertEquals(mediaTokens(picture(4000, 4000), "claude-sonnet-4-6"), 1568);
  assertEquals(mediaTokens(picture(4000, 4000), "claude-opus-4-8"), 4784);
  assertEquals(mediaTokens({ type: "image", source: { data: "AAAA" } }, undefined), 0);
});

Deno.test("mediaTokens() prices a PDF by its pages and a text document by its words", () => {
  assertEquals(mediaTokens(pdf(4), undefined), 4 * 2200);
  assertEquals(mediaTokens(document({ type: "base64", data: btoa("/Type /Page") }), undefined), 0);
  const text = { type: "text", data: "word ".repeat(100) };
  const tokens = mediaTokens(document(text), "claude-sonnet-4-6");
  assert(tokens > 80 && tokens < 140, `${tokens}`);
});

Deno.test("isMedia() is true only of pictures and documents", () => {
  assert(isMedia({ type: "image" }) && isMedia({ type: "document" }));
  for (const other of [null, "image", { type: "text" }, {}, [{ type: "image" }]]) {
    assertEquals(isMedia(other), false);
  }
});
