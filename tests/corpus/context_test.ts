// The active context of real sessions, against what their whole files say.

import { assertEquals, assertGreater } from "@std/assert";
import { findActiveContext } from "../../src/transcript/active_context.ts";
import type { JsonObject } from "../../src/transcript/entry.ts";
import { referenceContext } from "../transcript/reference_context.ts";

const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

const names = sessionNames();
const ignore = names.length === 0;

Deno.test({
  name: "findActiveContext() is what the whole file of a real session says" +
    (ignore ? ` (ignored: no sessions in ${CORPUS})` : ""),
  ignore,
  fn(): void {
    const totals = { lines: 0, sent: 0, sentOfLarge: 0, compacted: 0, bytes: 0, bytesRead: 0 };
    for (const name of names) {
      const path = `${CORPUS}/${name}`;
      const lines = Deno.readTextFileSync(path).split("\n").flatMap(parse);
      using file = Deno.openSync(path);
      const { size } = file.statSync();
      const context = findActiveContext(file, size);
      assertEquals(context.nodes.map((node) => node.uuid), referenceContext(lines), name);
      // As the client would read it if it were over 5 MiB.
      const large = findActiveContext(file, size, { maxWholeFileBytes: 0 });
      assertEquals(large.nodes.map((node) => node.uuid), referenceContext(lines, true), name);
      totals.lines += lines.length;
      totals.sent += context.nodes.length;
      totals.sentOfLarge += large.nodes.length;
      totals.compacted += Number(context.isCompacted);
      totals.bytes += size;
      totals.bytesRead += size - context.readFrom;
    }
    console.log(`  ${names.length} sessions: ${JSON.stringify(totals)}`);
    assertGreater(totals.sent, names.length);
  },
});

/** The objects of a line, up to the first that is broken. */
function parse(line: string): JsonObject[] {
  try {
    return line.trim() === "" ? [] : [JSON.parse(line)];
  } catch {
    for (let at = line.indexOf("}{"); at >= 0; at = line.indexOf("}{", at + 1)) {
      const [first] = parse(line.slice(0, at + 1));
      if (first !== undefined) return [first, ...parse(line.slice(at + 1))];
    }
    return [];
  }
}

function sessionNames(): string[] {
  try {
    return [...Deno.readDirSync(CORPUS)].map(({ name }) => name)
      .filter((name) => name.endsWith(".jsonl")).sort();
  } catch {
    return [];
  }
}
