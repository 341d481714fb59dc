import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isObject, type JsonObject } from "../../src/core/record.ts";
import { attachedBlocks } from "../../src/transcript/content.ts";
import { trimByLength } from "./by_length.ts";
import { parseLines, picture, SessionBuilder, text } from "./build_session.ts";

const PICTURE = picture(800, 600);
const DATA = String(isObject(PICTURE.source) ? PICTURE.source.data : "");

const QUEUED_PROMPT = {
  type: "queued_command",
  prompt: [text("Look at these"), PICTURE, PICTURE],
  commandMode: "prompt",
};

/** The attachment that the client stores for an image that a prompt mentions. */
const MENTIONED_FILE = {
  type: "file",
  filename: "/project/pic.png",
  content: { type: "image", file: { base64: DATA, type: "image/png", originalSize: 5_000 } },
  displayPath: "pic.png",
};

/** The attachment of a mentioned notebook. The client stores no rendered text for a notebook with a plot. */
const MENTIONED_NOTEBOOK = {
  type: "file",
  filename: "/project/a.ipynb",
  content: {
    type: "notebook",
    file: {
      filePath: "/project/a.ipynb",
      cells: [
        { cellType: "markdown", source: "# Title", cell_id: "m0" },
        {
          ...{ cellType: "code", source: "plot()", cell_id: "c1" },
          outputs: [
            { output_type: "stream", text: "Plotted.\n" },
            { text: "<Figure>", image: { image_data: DATA, media_type: "image/png" } },
          ],
        },
        {
          cellType: "code",
          source: "1/0",
          cell_id: "c2",
          outputs: [{ text: "ZeroDivisionError" }],
        },
      ],
    },
  },
};

Deno.test("attachedBlocks() returns a notebook's texts and pictures as the client sends them", () => {
  const [before, picture, after] = attachedBlocks(MENTIONED_NOTEBOOK);
  const reminder = (text: string): string => `<system-reminder>\n${text}\n</system-reminder>`;
  const title = '<cell id="m0"><cell_type>markdown</cell_type># Title</cell id="m0">\n';
  const plot = '<cell id="c1">plot()</cell id="c1">\n\nPlotted.\n\n\n<Figure>';
  assertEquals(before?.text, reminder(title + plot));
  assertEquals(picture, PICTURE);
  const error = '<cell id="c2">1/0</cell id="c2">\n\nZeroDivisionError';
  assertEquals(after?.text, reminder(error));
});

function dropPictures(attachment: JsonObject): [count: number, freed: number, copy: JsonObject] {
  using session = new SessionBuilder()
    .user("Begin")
    .assistant("m1", [text("Begun.")])
    .line({ type: "attachment", attachment })
    .assistant("m2", [text("Seen.")])
    .user("Go on")
    .assistant("m3", [text("Done.")])
    .write();
  const { images, tokens, context_chars: chars } = trimByLength({ ...session, dropImages: true });
  const again = trimByLength({ input: session.output, dropImages: true });
  assertEquals([again.images.count, again.context_chars.before], [0, chars.after]);
  const copy = Object(parseLines(session.output)[2]?.attachment);
  return [images.count, tokens.before - tokens.after, copy];
}

Deno.test("trimTranscript() drops the pictures of a queued prompt, and keeps its text", () => {
  const [count, freed, { prompt }] = dropPictures(QUEUED_PROMPT);
  assertEquals(count, 2);
  // Two pictures of 800 by 600 cost about 640 tokens each, regardless of the length of their data.
  assert(freed > 900 && freed < 1_400, `${freed}`);
  const [words, ...rest] = Object(prompt);
  assertEquals(words, text("Look at these"));
  assertEquals(rest.map(({ type }: JsonObject) => type), ["text", "text"]);
});

Deno.test("trimTranscript() replaces the picture of a mentioned file with text, in the client's format for a text file", () => {
  const [count, freed, { filename, content }] = dropPictures(MENTIONED_FILE);
  assertEquals(count, 1);
  assert(freed > 450 && freed < 700, `${freed}`);
  const { type, file } = Object(content);
  assertEquals([filename, type, file.totalLines], ["/project/pic.png", "text", 1]);
  assert(file.content.startsWith("[image result masked -- "), file.content);
});

Deno.test("trimTranscript() drops the pictures of a mentioned notebook, and keeps its texts", () => {
  const [count, , copy] = dropPictures(MENTIONED_NOTEBOOK);
  assertEquals(count, 1);
  const texts = attachedBlocks(copy).map(({ text }) => String(text)).join("\n");
  assertStringIncludes(texts, "Plotted.\n\n\n<Figure>[image result masked -- ");
  assertStringIncludes(texts, "ZeroDivisionError");
});
