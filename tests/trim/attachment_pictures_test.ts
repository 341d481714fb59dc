import { assert, assertEquals } from "@std/assert";
import { contentParts } from "../../src/transcript/content.ts";
import { isObject, viewEntry } from "../../src/transcript/entry.ts";
import { trimTranscript } from "./by_length.ts";
import { picture } from "./build_session.ts";

/** A session in which somebody showed two pictures while the model was at work. */
function lines(image: unknown, attachment?: unknown): Record<string, unknown>[] {
  const prompt = [{ type: "text", text: "Look at these" }, image, image];
  const said = (uuid: string, parentUuid: string | null, role: string, content: unknown) => ({
    parentUuid,
    isSidechain: false,
    type: role,
    uuid,
    message: { role, content, ...(role === "assistant" ? { id: `m${uuid}` } : {}) },
  });
  return [
    said("u1", null, "user", "Begin"),
    said("a1", "u1", "assistant", [{ type: "text", text: "Begun." }]),
    {
      parentUuid: "a1",
      isSidechain: false,
      type: "attachment",
      uuid: "x1",
      attachment: attachment ?? { type: "queued_command", prompt, commandMode: "prompt" },
    },
    said("a2", "x1", "assistant", [{ type: "text", text: "Seen." }]),
    said("u2", "a2", "user", "Go on"),
    said("a3", "u2", "assistant", [{ type: "text", text: "Done." }]),
  ];
}

Deno.test("contentParts() tells the pictures of a queued prompt from its words", () => {
  const image = picture(800, 600);
  const parts = contentParts(viewEntry(lines(image)[2] ?? {}));
  assertEquals(parts.map(({ kind }) => kind), ["attachment", "image", "image"]);
  assertEquals(parts[0]?.text.includes("Look at these"), true);
  assertEquals(parts[0]?.text.length, "Look at theseprompt".length);
});

Deno.test("trimTranscript() drops the pictures of a queued prompt, and its words stay", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const [input, output] = [`${folder}/in.jsonl`, `${folder}/out.jsonl`];
    const image = picture(800, 600);
    Deno.writeTextFileSync(input, lines(image).map((line) => JSON.stringify(line) + "\n").join(""));
    const counts = trimTranscript({ input, output, dropImages: true });
    assertEquals(counts.images.count, 2);
    // Two pictures of 800 by 600 cost some 640 tokens each, whatever their data's length.
    const freed = counts.tokens.before - counts.tokens.after;
    assert(freed > 900 && freed < 1_400, `${freed}`);
    const copied = Deno.readTextFileSync(output).trimEnd().split("\n").map((line) =>
      JSON.parse(line)
    );
    const [words, ...rest] = copied[2].attachment.prompt;
    assertEquals(words, { type: "text", text: "Look at these" });
    assertEquals(rest.map(({ type }: { type: string }) => type), ["text", "text"]);
    const again = trimTranscript({ input: output, dropImages: true });
    assertEquals([again.images.count, again.context_chars.before], [0, counts.context_chars.after]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function dataOf({ source }: Record<string, unknown>): string {
  return isObject(source) ? String(source.data) : "";
}

/** A picture that a prompt names by `@`, as the client keeps it. */
function namedFile(): Record<string, unknown> {
  const file = { base64: dataOf(picture(800, 600)), type: "image/png", originalSize: 5_000 };
  const filename = "/project/pic.png";
  return { type: "file", filename, content: { type: "image", file }, displayPath: "pic.png" };
}

Deno.test("contentParts() tells the picture of a file that a prompt names from its words", () => {
  const [words, image, ...rest] = contentParts(viewEntry(lines(null, namedFile())[2] ?? {}));
  assertEquals([words?.kind, image?.kind, rest.length], ["attachment", "image", 0]);
  assertEquals(words?.text, "/project/pic.pngpic.png");
  assertEquals(image?.text, dataOf(picture(800, 600)));
});

Deno.test("trimTranscript() drops the picture of a file that a prompt names, as the client reads it", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const [input, output] = [`${folder}/in.jsonl`, `${folder}/out.jsonl`];
    const text = lines(null, namedFile()).map((line) => JSON.stringify(line) + "\n").join("");
    Deno.writeTextFileSync(input, text);
    const counts = trimTranscript({ input, output, dropImages: true });
    assertEquals(counts.images.count, 1);
    const freed = counts.tokens.before - counts.tokens.after;
    assert(freed > 450 && freed < 700, `${freed}`);
    const copied = JSON.parse(Deno.readTextFileSync(output).split("\n")[2] ?? "");
    const { filename, content } = copied.attachment;
    assertEquals([filename, content.type, content.file.totalLines], [
      "/project/pic.png",
      "text",
      1,
    ]);
    assert(content.file.content.startsWith("[image result masked -- "), content.file.content);
    const again = trimTranscript({ input: output, dropImages: true });
    assertEquals([again.images.count, again.context_chars.before], [0, counts.context_chars.after]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
