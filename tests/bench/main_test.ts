import { assert, assertEquals, assertRejects } from "@std/assert";
import { BASELINES, contenders } from "../../bench/contenders.ts";
import type { BenchFile } from "../../bench/files.ts";
import { writeTranscript } from "../../bench/generate.ts";
import { PROMPT_PAYLOAD, timeHook } from "../../bench/hook_latency.ts";
import { formatReport, timeAll } from "../../bench/main.ts";
import { scanCopy } from "../../bench/scan_copy.ts";
import { markdownTable } from "../../bench/table.ts";

async function withFile(test: (file: BenchFile) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const draft = `${folder}/draft`;
    const { bytes, sessionId } = writeTranscript(draft, { sizeBytes: 300_000 });
    const path = `${folder}/${sessionId}.jsonl`;
    await Deno.rename(draft, path);
    await test({ size: "300KB", path, sessionId, bytes, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function filesOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name);
}

Deno.test("timeAll() gives each contender a time, memory and ratios, and leaves no output", async () => {
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
});

Deno.test("timeAll() reports which contender failed and which is missing", async () => {
  await withFile(async (file) => {
    const failing = [Deno.execPath(), "eval", "console.error('no luck'); Deno.exit(4)"] as const;
    const report = await timeAll(file, [
      { name: "failing", command: () => ({ argv: [...failing] }), absent: "" },
      { name: "missing", command: null, absent: "it is not on this machine" },
    ], 2);
    assertEquals(report.rows.map(({ note }) => note), [
      "exit 4: no luck",
      "it is not on this machine",
    ]);
    assertEquals(report.rows.map(({ medianMs }) => medianMs), [null, null]);
    const text = formatReport(report);
    assert(text.includes("- failing: not measured, exit 4: no luck\n"), text);
    assert(text.includes("- missing: not measured, it is not on this machine\n"), text);
  });
});

Deno.test("contenders() keeps a row for each tool that is not installed", async () => {
  const list = await contenders(() => Promise.resolve(null));
  for (const name of [BASELINES.cp, BASELINES.python, "jq -c ."]) {
    const contender = list.find((one) => one.name === name);
    assertEquals(contender?.command, null);
    assert(contender?.absent.endsWith("is not on this machine"));
  }
});

Deno.test("contenders() gives trimtab's commands the transcript and a separate configuration", async () => {
  await withFile(async (file) => {
    for (const { name, command, absent } of await contenders()) {
      if (!name.startsWith("trimtab")) continue;
      const run = command?.(file);
      assert(run !== undefined || absent !== "");
      if (run === undefined) continue;
      assert(run.argv.includes(file.path));
      assertEquals(run.env?.CLAUDE_CONFIG_DIR, file.folder);
    }
  });
});

Deno.test("scanCopy() copies byte for byte and counts the lines", async () => {
  await withFile(async (file) => {
    const text = await Deno.readTextFile(file.path);
    for (const fsync of [false, true]) {
      const output = `${file.folder}/copy-${fsync}`;
      assertEquals(scanCopy(file.path, output, fsync), text.split("\n").length - 1);
      assertEquals(await Deno.readTextFile(output), text);
    }
  });
});

Deno.test("timeHook() gives the hook the transcript on stdin and times it against an empty script", async () => {
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
});

Deno.test("timeHook() throws when the hook fails", async () => {
  await withFile(async (file) => {
    const argv = [Deno.execPath(), "eval", "console.error('broken'); Deno.exit(1)"] as const;
    const timing = timeHook(file, { argv: [...argv], payload: "{}", runs: 3 });
    await assertRejects(() => timing, Error, "exit 1: broken");
  });
});

Deno.test("markdownTable() aligns its columns, with numbers to the right", () => {
  assertEquals(
    markdownTable(["", "ms"], [["cp", "7.0"], ["scan", "142.1"]]),
    ["|      |    ms |", "| ---- | ----: |", "| cp   |   7.0 |", "| scan | 142.1 |", ""].join("\n"),
  );
});

Deno.test("main.ts exits 2 with its usage when a size or a count is invalid", async () => {
  const script = `${import.meta.dirname}/../../bench/main.ts`;
  for (const args of [["--sizes", "huge"], ["--runs", "0"]]) {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--allow-read", script, ...args],
    }).output();
    assertEquals(code, 2);
    assert(new TextDecoder().decode(stderr).includes("Usage:"));
  }
});
