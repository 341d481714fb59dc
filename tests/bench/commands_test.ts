import { assert, assertEquals } from "@std/assert";
import { BASELINES, contenders } from "../../bench/contenders.ts";
import type { BenchFile } from "../../bench/files.ts";
import { writeTranscript } from "../../bench/generate.ts";
import { PROMPT_PAYLOAD, timeHook } from "../../bench/hook_latency.ts";
import { formatReport, timeAll } from "../../bench/commands.ts";
import { newFolder } from "../folder.ts";
import { testInFull } from "../full.ts";

async function withFile(test: (file: BenchFile) => Promise<void>): Promise<void> {
  using temporary = newFolder();
  const folder = temporary.path;
  const draft = `${folder}/draft`;
  const { bytes, sessionId } = writeTranscript(draft, 300_000);
  const path = `${folder}/${sessionId}.jsonl`;
  await Deno.rename(draft, path);
  await test({ size: "300KB", path, sessionId, bytes, folder });
}

function filesOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name);
}

testInFull({
  name: "timeAll() returns time, memory and ratios of each contender, and leaves no output",
  fn: async () => {
    await withFile(async (file) => {
      const wanted: string[] = [BASELINES.empty, BASELINES.cp, BASELINES.scanCopy];
      const list = (await contenders()).filter(({ name }) => wanted.includes(name));
      const { rows } = await timeAll(file, list, 3);
      assertEquals(rows.map(({ name }) => name).toSorted(), wanted.toSorted());
      for (const row of rows) {
        assertEquals(row.note, "");
        assert(row.medianMs !== null && row.rangeMs !== null);
        assert(row.rangeMs[0] <= row.medianMs && row.medianMs <= row.rangeMs[1]);
        assert(row.ratios.empty !== null && row.ratios.empty > 0);
        assertEquals(row.ratios.python, null);
        if (Deno.build.os === "linux") assert(row.peakBytes !== null && row.peakBytes > 100_000);
      }
      assertEquals(rows.find(({ name }) => name === BASELINES.empty)?.ratios.empty, 1);
      assertEquals(filesOf(file.folder), [`${file.sessionId}.jsonl`]);
    });
  },
});

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

testInFull({
  name:
    "timeHook() passes the transcript to the hook on stdin, and times it against an empty script",
  fn: async () => {
    await withFile(async (file) => {
      const program = `
      const payload = JSON.parse(await new Response(Deno.stdin.readable).text());
      const transcript = await Deno.stat(payload.transcript_path);
      const id = payload.transcript_path.endsWith(payload.session_id + ".jsonl");
      Deno.exit(transcript.size === ${file.bytes} && id ? 0 : 5);`;
      const argv = [Deno.execPath(), "eval", program] as const;
      const latency = await timeHook(file, { argv: [...argv], payload: PROMPT_PAYLOAD, runs: 3 });
      assert(latency.hookMs > 0 && latency.emptyMs > 0);
      assertEquals(latency.ratio, latency.hookMs / latency.emptyMs);
    });
  },
});
