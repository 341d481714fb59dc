import { assert, assertEquals } from "@std/assert";
import { mediaTokens, replaceMedia } from "../../src/trim/media.ts";
import { type Block, picture } from "./build_session.ts";

function document(source: Block): Block {
  return { type: "document", source };
}

function pdf(pages: number): Block {
  const page = "<< /Type /Pages >> << /Type/Page /Parent 1 0 R >>\n";
  const data = btoa("%PDF-1.7\n" + page.repeat(pages));
  return document({ type: "base64", media_type: "application/pdf", data });
}

Deno.test("replaceMedia() describes a picture or a document, and its origin", () => {
  const shot = replaceMedia(picture(30, 20, 1000), {
    toolName: "mcp__shots__take",
    input: { path: 'a "b"\n.png' },
  });
  const line = '[image result masked -- 1000 bytes, type: "image/png", size: "30x20", ' +
    'from: "mcp__shots__take", file: "a \\"b\\"\\n.png"]';
  assertEquals(shot, { placeholder: line, charsSaved: 1336 - line.length });
  // The media type of unreadable data is trusted.
  const webp = { type: "base64", media_type: "image/webp", data: "no base64! ".repeat(40) };
  const expected = '[image result masked -- 330 bytes, type: "image/webp", from: "user"]';
  assertEquals(replaceMedia({ type: "image", source: webp }, {})?.placeholder, expected);
  const notes = { type: "text", media_type: "text/plain", data: "naïve text\n".repeat(30) };
  assertEquals(
    replaceMedia({ ...document(notes), title: "Notes [draft]" }, {})?.placeholder,
    '[document result masked -- 360 bytes, type: "text/plain", title: "Notes [draft]", from: "user"]',
  );
});

Deno.test("replaceMedia() keeps a block that is shorter than its line would be", () => {
  const url = { type: "url", url: "https://example.org/a.png" };
  for (const source of [url, undefined, { data: "AAAA" }]) {
    assertEquals(replaceMedia({ type: "image", source }, {}), undefined);
  }
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
