/**
 * Makes transcripts of any size from a session that ships with the project. The session is repeated under new
 * ids, with a compaction after every second copy. Memory use is constant, and the same size produces the same
 * bytes.
 */

const DEMO =
  `${import.meta.dirname}/../tests/fixtures/demo/c6a36628-8838-4dae-be63-2724adaa9731.jsonl`;

/** Two copies of the demo session fill most of a 200,000-token window. */
const COPIES_PER_WINDOW = 2;

const UNITS: Readonly<Record<string, number>> = { "": 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

interface Written {
  readonly bytes: number;
  readonly sessionId: string;
}

/** Writes complete copies of the demo session until the file has at least the given size. */
export function writeTranscript(path: string, sizeBytes: number): Written {
  const text = Deno.readTextFileSync(DEMO).trimEnd();
  const sessionId = /"sessionId":"([\w-]+)"/.exec(text)?.[1] ?? crypto.randomUUID();
  const lastId = text.match(/"uuid":"[\w-]+"/g)?.at(-1) ?? "";
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  let [bytes, copies] = [0, 0];
  while (bytes < sizeBytes) {
    const isCompacted = copies > 0 && copies % COPIES_PER_WINDOW === 0;
    const parent = isCompacted ? `"summary-${copies}"` : withNumber(lastId, copies - 1).slice(7);
    const copy = withNumber(text, copies);
    const linked = copies === 0
      ? copy
      : copy.replace('"parentUuid":null', `"parentUuid":${parent}`);
    const chunk = encoder.encode(`${isCompacted ? compaction(copies) : ""}${linked}\n`);
    for (let written = 0; written < chunk.length;) {
      written += file.writeSync(chunk.subarray(written));
    }
    bytes += chunk.length;
    copies++;
  }
  return { bytes, sessionId };
}

function compaction(copy: number): string {
  const [uuid, role] = [`boundary-${copy}`, "user"];
  const content = "This session is being continued from a previous conversation.";
  return [
    { parentUuid: null, type: "system", subtype: "compact_boundary", uuid },
    {
      ...{ parentUuid: uuid, type: role, isCompactSummary: true, uuid: `summary-${copy}` },
      message: { role, content },
    },
  ].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Makes the ids of entries and calls unique to each copy. The first copy keeps the original ids. */
function withNumber(text: string, copy: number): string {
  if (copy === 0) return text;
  const mark = copy.toString(16).padStart(4, "0");
  return text.replaceAll(
    /("(?:uuid|parentUuid|leafUuid)":"[0-9a-f]{8}-)[0-9a-f]{4}/g,
    (_, head) => `${head}${mark}`,
  ).replaceAll(/"((?:toolu|msg|req)_\w+)"/g, (_, id) => `"${id}_${mark}"`);
}

/**
 * Reads a size like `100MB`.
 *
 * @param text A number and an optional unit: B, KB, MB or GB, all powers of ten.
 * @throws {RangeError} When the text is not a size.
 */
export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMG]?B)?$/i.exec(text.trim());
  const unit = UNITS[match?.[2]?.toUpperCase() ?? ""];
  if (match === null || unit === undefined) {
    throw new RangeError(
      `Cannot read the size "${text}": expected a number and an optional unit: B, KB, MB or GB`,
    );
  }
  return Math.round(Number(match[1]) * unit);
}
