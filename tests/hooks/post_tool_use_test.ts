/** The hook that shapes outputs. The launcher starts it only if a configuration file may enable it. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { main } from "../../hooks/post_tool_use.ts";
import { spillFolder } from "../../src/live/spill.ts";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { posixTest } from "../posix.ts";
import { LAUNCHER, textOf, writeProgram } from "../scripts/place.ts";
import { type Bed, configure, runHook, SESSION, test, withBed } from "./bed.ts";
import "../own_config.ts";

const LONG = Array.from({ length: 400 }, (_, n) => `ok ${n} - adds`).join("\n");

function resultPayload(bed: Bed, extra: Record<string, unknown> = {}): Uint8Array {
  return bed.payload({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "deno test" },
    tool_response: { stdout: LONG, stderr: "", interrupted: false, isImage: false },
    tool_use_id: "toolu_1",
    ...extra,
  });
}

const ON = "[live]\nenabled = true\nmax_chars = 1000\n";

test("the hook prints the shaped output with the fields of the tool's own response, and nothing else", async (bed) => {
  configure(bed, ON);
  const printed = await bed.run(main, resultPayload(bed));
  assert(printed.endsWith("}\n"));
  const { hookSpecificOutput, ...others } = JSON.parse(printed);
  assertEquals(others, {});
  const { hookEventName, updatedToolOutput, ...more } = hookSpecificOutput;
  assertEquals([hookEventName, more], ["PostToolUse", {}]);
  const { stdout, ...rest } = updatedToolOutput;
  assertEquals(rest, { stderr: "", interrupted: false, isImage: false });
  assertMatch(
    stdout,
    /^\[trimtab: shaped from [^\n]*\]\nok 0 - adds\n\[trimtab: lines 2-399 left out/,
  );
});

test("the hook prints nothing if it is disabled, if the output is short, if the payload is invalid, or for other tools and subagents", async (bed) => {
  assertEquals(await bed.run(main, resultPayload(bed)), "");
  configure(bed, "[live]\nenabled = false\nmax_chars = 1000\n");
  assertEquals(await bed.run(main, resultPayload(bed)), "");
  configure(bed, ON);
  const short = { stdout: "x".repeat(900), stderr: "", interrupted: false, isImage: false };
  const others = [{ tool_response: short }, { tool_name: "Read" }, { agent_id: "a1" }];
  for (const extra of [...others, { tool_use_id: undefined }, { session_id: "x" }]) {
    assertEquals(await bed.run(main, resultPayload(bed, extra)), "");
  }
  assertEquals(await bed.run(main, new TextEncoder().encode("[".repeat(5_000))), "");
});

test("the hook reports once that an output cannot be stored, and does not shorten it", async (bed) => {
  configure(bed, ON);
  Deno.writeTextFileSync(spillFolder(bed.projectDir), "in the way");
  const answer = JSON.parse(await bed.run(main, resultPayload(bed)));
  assertEquals(Object.keys(answer), ["systemMessage"]);
  assertStringIncludes(answer.systemMessage, "trimtab: long outputs are not being shortened: ");
  assertEquals(await bed.run(main, resultPayload(bed)), "");
});

test("the hook deletes old outputs of other sessions when it stores a session's first output", async (bed) => {
  configure(bed, ON);
  const other = `${spillFolder(bed.projectDir)}/${SESSION.replace("0e", "1e")}`;
  Deno.mkdirSync(other, { recursive: true });
  Deno.writeTextFileSync(`${other}/toolu_9.txt`, "old");
  Deno.utimeSync(`${other}/toolu_9.txt`, 0, 0);
  await bed.run(main, resultPayload(bed));
  const names = [...Deno.readDirSync(spillFolder(bed.projectDir))].map(({ name }) => name);
  assertEquals(names, [SESSION]);
});

test("the hook runs with exactly its permissions", async (bed) => {
  configure(bed, ON);
  const { code, stdout, stderr } = await runHook(bed, "post_tool_use", resultPayload(bed));
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  assertStringIncludes(stdout, "updatedToolOutput");
});

posixTest(
  "bin/trimtab starts the hook only if a configuration file may enable it",
  () =>
    withBed(async (bed) => {
      const deno = `${bed.root}/fake-deno`;
      writeProgram(deno, "echo started");
      const env = cleanEnv({ ...bed.env, TRIMTAB_DENO: deno });
      const isStarted = async (): Promise<boolean> => {
        const args = [LAUNCHER, "hook", "post-tool-use"];
        const options = { cwd: bed.root, env, clearEnv: true, stdin: "{}" };
        return textOf(await runChild("/bin/sh", args, options)) === "started\n";
      };
      assertEquals(await isStarted(), false);
      const files: [toml: string, expected: boolean][] = [
        ["[context]\nwarn_threshold = 50\n", false],
        ["[live]\nenabled = false\n", false],
        ["[live]\nenabled = true", true],
        ["live.enabled = true\n", true],
        ["live = { enabled = true }\r\n", true],
        [`${"\n".repeat(1_200)}[live]\nenabled = true\n`, true],
      ];
      Deno.mkdirSync(`${bed.projectDir}/.claude`);
      for (const folder of [`${bed.projectDir}/.claude`, bed.configDir]) {
        const path = `${folder}/trimtab.toml`;
        for (const [toml, expected] of files) {
          Deno.writeTextFileSync(path, toml);
          assertEquals(await isStarted(), expected, toml.trim());
        }
        Deno.removeSync(path);
      }
    }),
);
