import { assert, assertEquals } from "@std/assert";
import type { BenchFile } from "../../bench/files.ts";
import { writeTranscript } from "../../bench/generate.ts";
import { formatReport, timeAll } from "../../bench/commands.ts";
import { newFolder } from "../folder.ts";

async function withFile(test: (file: BenchFile) => Promise<void>): Promise<void> {
  using temporary = newFolder();
  const folder = temporary.path;
  const draft = `${folder}/draft`;
  const { bytes, sessionId } = writeTranscript(draft, 300_000);
  const path = `${folder}/${sessionId}.jsonl`;
  await Deno.rename(draft, path);
  await test({ size: "300KB", path, sessionId, bytes, folder });
}

Deno.test("timeAll() reports which contender failed and which is missing", async () => {
  await withFile(async (file) => {
    const failing = [Deno.execPath(), "eval", "console.error('no luck'); Deno.exit(4)"] as const;
    const report = await timeAll(file, [
      { name: "failing", command: () => ({ argv: [...failing] }), absent: "" },
      { name: "missing", command: null, absent: "it is not on this machine" },
    ], 2);
    const notes = ["exit 4: no luck", "it is not on this machine"];
    assertEquals(report.rows.map(({ note }) => note), notes);
    assertEquals(report.rows.map(({ medianMs }) => medianMs), [null, null]);
    const text = formatReport(report);
    assert(text.includes("- failing: not measured, exit 4: no luck\n"), text);
    assert(text.includes("- missing: not measured, it is not on this machine\n"), text);
  });
});
