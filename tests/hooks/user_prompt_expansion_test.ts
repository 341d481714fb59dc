/** The hook that answers `/trim`. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { main } from "../../hooks/user_prompt_expansion.ts";
import { runInProcess } from "../scripts/in_process.ts";
import { idOf, type Place, sessionOf, test, textOf } from "../scripts/place.ts";
import { encode } from "./bed.ts";
import "../own_config.ts";
import { POSIX } from "../posix.ts";

const HOOK = "hooks/user_prompt_expansion.ts";
const LONG = "a line of an output\n".repeat(2_000);

/** Makes a session in which one output can be cut, and returns the payload for a `/trim` in it. */
function trimPayload(place: Place, args: string): Record<string, unknown> {
  const id = idOf(1);
  const outputs = [["Read", LONG], ...Array(5).fill(["Read", "short"])] as [string, string][];
  return {
    session_id: id,
    transcript_path: place.add(id, sessionOf(outputs, { cwd: place.cwd })),
    cwd: place.cwd,
    prompt_id: "p",
    permission_mode: "default",
    hook_event_name: "UserPromptExpansion",
    expansion_type: "slash_command",
    command_name: "trimtab:trim",
    command_args: args,
    command_source: "plugin",
    prompt: `/trimtab:trim ${args}`,
  };
}

async function run(place: Place, payload: unknown): Promise<string> {
  const surroundings = { cwd: place.cwd, env: { HOME: place.home } };
  return textOf(
    await runInProcess(async () => {
      Deno.stdout.writeSync(new TextEncoder().encode(await main(encode(payload))));
      return 0;
    }, surroundings),
  );
}

async function start(place: Place, payload: unknown, without?: string): Promise<string> {
  const stdin = JSON.stringify(payload);
  return textOf(await place.run(HOOK, [], { stdin, ...without === undefined ? {} : { without } }));
}

function reasonOf(printed: string): string {
  const output = JSON.parse(printed);
  assertEquals(printed, `${JSON.stringify(output)}\n`, "one line of JSON");
  const { reason, ...rest } = output;
  const hookSpecificOutput = { hookEventName: "UserPromptExpansion", suppressOriginalPrompt: true };
  assertEquals(rest, { decision: "block", hookSpecificOutput });
  return reason;
}

async function reason(place: Place, args: string): Promise<string> {
  return reasonOf(await run(place, trimPayload(place, args)));
}

test("user_prompt_expansion answers /trim with its result", async (place) => {
  const text = reasonOf(await start(place, trimPayload(place, "")));
  assertMatch(text, /^Trimmed 1 tool outputs \(Read 1\): 50k -> [\d]+k tokens\nResume here with: /);
  assertMatch(text, /\nContext: 50,006 -> [\d,]+ tokens, 30% -> /);
  const [, id] = /\nResume with: claude --resume (\S+)$/m.exec(text) ?? [];
  assertStringIncludes(text, `Resume here with: /resume ${id}\n`);
  const copy = Deno.statSync(`${place.sessions}/${id}.jsonl`);
  if (POSIX) assertEquals((copy.mode ?? 0) & 0o777, 0o600);
});

test("user_prompt_expansion does not make a copy that would free too little, and suggests a better way", async (place) => {
  const payload = trimPayload(place, "");
  Deno.removeSync(`${place.sessions}/${idOf(1)}.jsonl`);
  place.add(idOf(1), sessionOf([["Read", LONG]], { cwd: place.cwd }));
  const before = place.files();
  const text = reasonOf(await run(place, payload));
  assertMatch(text, /^No copy was made: the trim would free 0 of 50,001 tokens\.\n/);
  assertMatch(
    text,
    /\nThis would help: .*adding --keep-recent 0 frees [\d,]+ tokens of the newest outputs$/,
  );
  assertEquals(place.files(), before);
  const json = JSON.parse(reasonOf(await run(place, { ...payload, command_args: "--json" })));
  assertEquals([json.output, json.session_id, json.resume_command], [null, null, null]);
  assertEquals(json.instead.newest > 1_000, true);
});

test("user_prompt_expansion accepts the options of trimtab trim", async (place) => {
  const before = place.files().length;
  const dry = await reason(place, "--dry-run --threshold 100");
  assertMatch(dry, /^Would trim 1 tool outputs /);
  assertEquals(place.files().length, before + 1, "only the session's file is added");
  const json = JSON.parse(await reason(place, "--json --dry-run --tool=Bash"));
  assertEquals([json.trimmed_count, json.parent_session_id], [0, idOf(1)]);
  const help = await reason(place, "--help");
  assertMatch(help, /^\/trim makes [^]*Usage: trimtab trim \[SESSION\][^]*--undo +undo the last /);
  place.add(idOf(2), sessionOf([["Bash", LONG]], { id: idOf(2) }));
  const other = JSON.parse(await reason(place, "22222222 --json --dry-run"));
  assertEquals(other.parent_session_id, idOf(2));
});

test("user_prompt_expansion shows the error of a /trim that fails", async (place) => {
  const cases: Record<string, RegExp> = {
    "--nope": /^Cannot run trim: unknown option --nope\. Options: /,
    "--threshold": /^Cannot run trim: --threshold needs a value/,
    "'open": /^Cannot read the arguments: unterminated '$/,
    "99999999": /^Cannot find session 99999999: no folder in /,
    "undo": /^Cannot run trim: undo is not a session; the option is --undo$/,
    "--undo":
      /^Cannot run trim: --undo works only in .*, or with claude -p as: \/compact trimtab --undo\./,
    "--status": /, or with claude -p as: \/compact trimtab --status\. In a shell: trimtab status$/,
    "; touch x": /^Cannot run trim: usage is .*, got ; touch x$/,
  };
  for (const [args, message] of Object.entries(cases)) {
    assertMatch(await reason(place, args), message);
  }
  assertEquals(
    reasonOf(await start(place, trimPayload(place, ""), "--allow-write")),
    `Cannot write a copy of the session into ${place.sessions}. ` +
      "trimtab lacks this permission; see docs/reference/permissions.md",
  );
});

test("user_prompt_expansion reports a session without a transcript", async (place) => {
  for (const transcript_path of [`${place.sessions}/gone.jsonl`, undefined, 5]) {
    const printed = await run(place, { ...trimPayload(place, ""), transcript_path });
    assertMatch(reasonOf(printed), /^Nothing to trim yet: /);
  }
});

test("user_prompt_expansion leaves every other command alone", async (place) => {
  const payload = trimPayload(place, "");
  for (const name of ["other:trim", "trim", "trimtab:rollover", "TRIMTAB:TRIM", undefined, 7]) {
    assertEquals(await run(place, { ...payload, command_name: name }), "");
  }
  assertEquals(await start(place, { ...payload, command_name: "other:trim" }), "");
  assertEquals(await run(place, {}), "");
});

test("user_prompt_expansion answers /trim without the prefix `trimtab:` if the skill is linked in settings", async (place) => {
  const payload = { ...trimPayload(place, "--help"), command_name: "trim" };
  for (const command_source of ["userSettings", "projectSettings"]) {
    assertMatch(
      reasonOf(await run(place, { ...payload, command_source })),
      /^Usage: trimtab trim/m,
    );
  }
  for (const command_source of ["plugin", "builtin", undefined, 7]) {
    assertEquals(await run(place, { ...payload, command_source }), "");
  }
});
