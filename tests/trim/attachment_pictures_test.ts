import { isObject } from "../../src/core/record.ts";
import { assert, assertEquals } from "@std/assert";
import { contentParts } from "../../src/transcript/content.ts";
import { viewEntry } from "../../src/transcript/entry.ts";
import { type TrimCounts, trimTranscript } from "./by_length.ts";
import { parseLines, picture, SessionBuilder, text } from "./build_session.ts";

function sessionWith(image: unknown, attachment?: unknown): SessionBuilder {
  const prompt = [text("Look at these"), image, image];
  const queued = { type: "queued_command", prompt, commandMode: "prompt" };
  return new SessionBuilder()
    .user("Begin")
    .assistant("m1", [text("Begun.")])
    .line({ type: "attachment", attachment: attachment ?? queued })
    .assistant("m2", [text("Seen.")])
    .user("Go on")
    .assistant("m3", [text("Done.")]);
}

Deno.test("contentParts() separates the pictures of a queued prompt from its text", () => {
  const image = picture(800, 600);
  const parts = contentParts(viewEntry(sessionWith(image).lines[2] ?? {}));
  assertEquals(parts.map(({ kind }) => kind), ["attachment", "image", "image"]);
  assertEquals(parts[0]?.text, "Look at theseprompt");
});

/** Drops the pictures of a session; returns the counts, the freed tokens and the copy's attachment. */
function dropPictures(...of: Parameters<typeof sessionWith>): {
  counts: TrimCounts;
  freed: number;
  attachment: Record<string, unknown>;
} {
  using session = sessionWith(...of).write();
  const counts = trimTranscript({ ...session, dropImages: true });
  const again = trimTranscript({ input: session.output, dropImages: true });
  assertEquals([again.images.count, again.context_chars.before], [0, counts.context_chars.after]);
  const attachment = Object(parseLines(session.output)[2]?.attachment);
  return { counts, freed: counts.tokens.before - counts.tokens.after, attachment };
}

Deno.test("trimTranscript() drops the pictures of a queued prompt, and keeps its text", () => {
  const { counts, freed, attachment } = dropPictures(picture(800, 600));
  assertEquals(counts.images.count, 2);
  // Two pictures of 800 by 600 cost about 640 tokens each, whatever the length of their data.
  assert(freed > 900 && freed < 1_400, `${freed}`);
  const [words, ...rest] = Object(attachment).prompt;
  assertEquals(words, { type: "text", text: "Look at these" });
  assertEquals(rest.map(({ type }: { type: string }) => type), ["text", "text"]);
});

function dataOf({ source }: Record<string, unknown>): string {
  return isObject(source) ? String(source.data) : "";
}

/** Builds the attachment that the client stores for an @-mentioned image. */
function namedFile(): Record<string, unknown> {
  const file = { base64: dataOf(picture(800, 600)), type: "image/png", originalSize: 5_000 };
  const filename = "/project/pic.png";
  return { type: "file", filename, content: { type: "image", file }, displayPath: "pic.png" };
}

Deno.test("contentParts() separates the picture of a file that a prompt names from its text", () => {
  const [words, image, ...rest] = contentParts(
    viewEntry(sessionWith(null, namedFile()).lines[2] ?? {}),
  );
  assertEquals([words?.kind, image?.kind, rest.length], ["attachment", "image", 0]);
  assertEquals(words?.text, "/project/pic.pngpic.png");
  assertEquals(image?.text, dataOf(picture(800, 600)));
});

Deno.test("trimTranscript() drops the picture of a file that a prompt names, as the client reads it", () => {
  const { counts, freed, attachment } = dropPictures(null, namedFile());
  assertEquals(counts.images.count, 1);
  assert(freed > 450 && freed < 700, `${freed}`);
  const { filename, content: { type, file } } = Object(attachment);
  assertEquals([filename, type, file.totalLines], ["/project/pic.png", "text", 1]);
  assert(file.content.startsWith("[image result masked -- "), file.content);
});
