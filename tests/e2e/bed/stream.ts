/** Yields the lines of a stream, without an unfinished line at its end. */
export async function* linesFrom(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string, void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
