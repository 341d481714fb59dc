import { assert, assertEquals } from "@std/assert";
import { benchFile } from "../../bench/files.ts";
import { formatReport, timeAll } from "../../bench/commands.ts";
import { contenders, OWN } from "../../bench/contenders.ts";
import { newFolder } from "../folder.ts";

Deno.test("timeAll() reports which contender failed and which is missing", async () => {
  using temporary = newFolder();
  const failing = [Deno.execPath(), "eval", "console.error('no luck'); Deno.exit(4)"] as const;
  const report = await timeAll(benchFile("300KB", temporary.path), [
    { name: "failing", command: () => ({ argv: [...failing] }) },
    { name: "missing", command: "it is not on this machine" },
  ], 2);
  const notes = ["exit 4: no luck", "it is not on this machine"];
  assertEquals(report.rows.map(({ note }) => note), notes);
  assertEquals(report.rows.map(({ medianMs }) => medianMs), [null, null]);
  const text = formatReport(report);
  assert(text.includes("- failing: not measured, exit 4: no luck\n"), text);
  assert(text.includes("- missing: not measured, it is not on this machine\n"), text);
});

Deno.test("timeAll() times a trim with the permissions of the command", async () => {
  using temporary = newFolder();
  const trim = (await contenders()).filter(({ name }) => name === OWN.trim);
  const { rows } = await timeAll(benchFile("300KB", temporary.path), trim, 1);
  assertEquals(rows.map(({ name, note }) => [name, note]), [[OWN.trim, ""]]);
});
