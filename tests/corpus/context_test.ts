// Compares the active context of real sessions with a slow reading of the whole files.

import { assertEquals, assertGreater } from "@std/assert";
import { findActiveContext } from "../../src/transcript/tree/active_context.ts";
import { referenceContext } from "../transcript/reference_context.ts";
import { CORPUS, ignore, ignoredNote, names, parseLine } from "./corpus.ts";

Deno.test({
  name: "findActiveContext() agrees with a reading of the whole file in real sessions" +
    ignoredNote,
  ignore,
  fn(): void {
    const totals = { lines: 0, sent: 0, sentOfLarge: 0, compacted: 0, bytes: 0, bytesRead: 0 };
    for (const name of names) {
      const path = `${CORPUS}/${name}`;
      const lines = Deno.readTextFileSync(path).split("\n").flatMap(parseLine);
      using file = Deno.openSync(path);
      const { size } = file.statSync();
      const context = findActiveContext(file, size);
      assertEquals(context.nodes.map((node) => node.uuid), referenceContext(lines), name);
      // Read like a file over 5 MiB, which the client reads differently.
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
