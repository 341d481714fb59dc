/**
 * Types the README's steps as a new user does, and checks that they do what README says. A new step in the
 * README fails here until the test types it, too.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { findSnippets } from "../../tools/snippets.ts";
import { copyPlugin, PLUGIN } from "../plugin_copy.ts";
import { findClient, newSmallHome, type TestHome } from "./bed/client.ts";
import {
  type LoggedRequest,
  type Mock,
  newestText,
  PROMPT_TOO_LONG,
  type ScriptedBlock,
  startMock,
} from "./bed/mock_api.ts";
import { openTerminal, type Terminal } from "./bed/terminal.ts";
import { blocksOf } from "./bed/wire.ts";
import { test } from "./client_tests.ts";
import { bash, call, readPages, sessionIds } from "./trim_steps.ts";

const README = Deno.readTextFileSync(`${PLUGIN}/README.md`);
const COMMANDS_PAGE = Deno.readTextFileSync(`${PLUGIN}/docs/guides/commands.md`);

/** The prompts `run the tests` and `read the log` make the model read this large log. */
const LOG = [
  ...Array.from({ length: 800 }, (_, n) => `--- PASS: TestNumber${n} (0.00s)`),
  "--- FAIL: TestOfAll (0.01s)",
  "FAIL",
].join("\n");

/** Parts of steps that the test does not type literally, each with its replacement. */
const REPLACED_STEPS: readonly (readonly [part: string, typed: string])[] = [
  ["<repository or folder of trimtab>", '"$HOME/trimtab"'],
  // The registry would install the same Deno that is on the PATH.
  ["npm install -g deno", "deno --version"],
  // The gate already runs these tests.
  ["npx --yes deno@2.9.6 task test", `grep '"test": {' deno.json`],
  ["npx --yes deno@2.9.6", "deno"],
];

/** This many pages fill nine tenths of the client's limit. */
const PAGES = 7;

const NOTES = "## Next Steps\n\n- [ ] Sort the pages by weight\n";
const HANDOFF = "### Immediate Next Steps\n\n1. Bind the pages\n";

const CALLS_BY_PROMPT: readonly (readonly [prompt: string, call: ScriptedBlock])[] = [
  [
    "trimtab checkpoint --skill --add -",
    bash(`trimtab checkpoint --skill --add - <<'N'\n${NOTES}N`),
  ],
  [
    "trimtab rollover --skill --summary -",
    bash(`trimtab rollover --skill --summary - <<'H'\n${HANDOFF}H`),
  ],
  ["read the log", call("Read", { file_path: "tests.log" })],
  ["run the tests", bash("cat tests.log")],
];

function callFor({ kind, body: { messages } }: LoggedRequest): ScriptedBlock[] | undefined {
  const last = messages.findLast(({ role }) => role !== "system");
  const blocks = blocksOf(last?.content);
  if (kind !== "main" || blocks.some(({ type }) => type === "tool_result")) return undefined;
  const text = blocks.at(-1)?.text ?? "";
  const [, call] = CALLS_BY_PROMPT.find(([prompt]) => text.includes(prompt)) ?? [];
  return call && [call];
}

/** Returns the steps of a page: lines in its shell fences, and commands in its sentences. */
function stepsOf(page: string): string[] {
  const prose = page.replaceAll(/^```[^]*?^```$/gm, "");
  const inline = [...prose.matchAll(/`((?:\/|!?trimtab |np[mx] )[^`]+)`/g)];
  return [...fencedIn(page), ...inline.map(([, step = ""]) => step)];
}

function fencedIn(page: string): string[] {
  return findSnippets(page, "README.md").snippets.flatMap(({ code }) => code.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, ""));
}

function sectionOf(heading: string): string {
  return README.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

class Steps {
  /** README's steps that are not typed yet. */
  readonly left: Set<string> = new Set(stepsOf(README));
  #known = [...this.left];

  take(step: string): string {
    assert(this.#known.includes(step), `README has no step "${step}": ${this.#known.join(" | ")}`);
    this.left.delete(step);
    return REPLACED_STEPS.reduce((typed, [from, to]) => typed.replace(from, to), step);
  }

  fence(heading: string): string {
    const steps = fencedIn(sectionOf(heading));
    assert(steps.length > 0, `README has no fence under "${heading}"`);
    return steps.map((step) => this.take(step)).join("\n");
  }
}

function shellOf(home: TestHome, env: Record<string, string>): (code: string) => Promise<string> {
  return async (code) => {
    const options = { cwd: home.cwd, clearEnv: true, env };
    const run = await runChild("sh", ["-euc", code], options);
    assertEquals(run.code, 0, `${code}\n${run.stdout}${run.stderr}`);
    return run.stdout;
  };
}

/** Installs a new user's programs: the client, and a browser that records the page it opened last. */
async function installPrograms(home: TestHome): Promise<{ path: string; opened: () => string }> {
  const [folder, log] = [`${home.home}/programs`, `${home.home}/opened.log`];
  Deno.mkdirSync(folder);
  Deno.symlinkSync(await findClient(), `${folder}/claude`);
  for (const name of ["xdg-open", "open"]) {
    const script = `#!/bin/sh\necho "$1" >"${log}"\n`;
    Deno.writeTextFileSync(`${folder}/${name}`, script, { mode: 0o755 });
  }
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  const path = `${home.home}/.local/bin:${folder}:${deno}:/usr/bin:/bin`;
  return { path, opened: () => Deno.readTextFileSync(log).trim() };
}

async function sayWithoutRequest(
  { terminal, mock }: { terminal: Terminal; mock: Mock },
  step: string,
  answer: RegExp,
): Promise<string> {
  const before = mock.requests.length;
  const shown = await terminal.say(step, answer);
  assertEquals(mock.requests.length, before, `${step} makes no request`);
  return shown;
}

function savesOf(home: TestHome): string[] {
  const folder = `${home.cwd}/.claude/checkpoints`;
  return existsSync(folder)
    ? [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`)
      .filter((path) => path.endsWith(".md"))
    : [];
}

test.moduleInTerminal("README's steps, typed in order in a fresh home, do what README says", async (t) => {
  using home = newSmallHome();
  // Removes the record that the welcome was shown, since a new user has not seen it.
  Deno.removeSync(`${home.config}/trimtab`, { recursive: true });
  copyPlugin(`${home.home}/trimtab`);
  Deno.writeTextFileSync(`${home.cwd}/tests.log`, LOG);
  const programs = await installPrograms(home);
  const env = { HOME: home.home, PATH: programs.path };
  const shell = shellOf(home, cleanEnv(env));
  const steps = new Steps();
  // Steps depend on earlier steps, so the first failure ends the test.
  const next: RunStep = async (name, run) => {
    if (!await t.step(name, run)) throw new Error(`README fails at "${name}"`);
  };
  let isFull = false;
  await using mock = startMock({
    turns: [...readPages(home.cwd, PAGES), "All read."],
    respond: (request) =>
      isFull && request.kind !== "side" ? { error: PROMPT_TOO_LONG } : callFor(request),
  });

  await next("Install", async () => {
    await shell(steps.fence("Install"));
    assertMatch(await shell(steps.take("npm install -g deno")), /^deno 2\./);
    assertMatch(await shell("claude plugin list"), /trimtab@trimtab[^]*enabled/);
  });
  const open = (): Promise<Terminal> => openTerminal({ home, mock, env });
  {
    await using terminal = await open();
    const bed = { terminal, mock };
    await next("What happens automatically: a line at each level", async () => {
      await terminal.say("read it", /● All read\./);
      await terminal.see(/context 90% · \/trim frees [\d,]+ \(16\d,\d{3} of 180,000 tokens\)/);
      await terminal.ask("again", /● Done\./);
      const percents = [...newestText(mock).matchAll(/Context at (\d+)%/g)].map(([, percent]) =>
        Number(percent)
      );
      const [, ...levels] = /passes (\d+), (\d+) and (\d+) %/.exec(README) ?? [];
      assertEquals(
        levels.map((level) => percents.findIndex((percent) => percent >= Number(level))),
        [0, 1, 2],
      );
    });
    const cut = await typeCommandTable(next, steps, { ...bed, home });
    await next("When no request succeeds any more", async () => {
      const [, words = ""] = /Claude Code says `([^`]+)`/.exec(README) ?? [];
      isFull = true;
      await terminal.say("too much", new RegExp(RegExp.escape(words)));
      await sayWithoutRequest(bed, "/trim", /trimtab:trim\n.*trimtab: Nothing (?:was|is)/);
      isFull = false;
    });
    await next("In a shell, once trimtab is on its PATH", async () => {
      await terminal.ask("read the log", /● Done\./);
      await terminal.ask("!which trimtab", /● Done\./);
      const [, folder = ""] = /^(?:.*>)?(\/.*)\/bin\/trimtab\b/m.exec(newestText(mock)) ?? [];
      const link = findSnippets(COMMANDS_PAGE, "").snippets.find(({ code }) =>
        / ln -s /.test(code)
      );
      await shell(link?.code.replace("<folder of trimtab>", `"${folder}"`) ?? "");
      const status = await shell(steps.take("trimtab status"));
      assertMatch(status, /\d+% +[\d,]+ of 180,000 tokens[^]*reported by the API/);
      assertMatch(await shell(`${steps.take("trimtab show")} ${cut}`), /0\.799: words/);
      await shell(steps.take("trimtab report --open"));
      const page = Deno.readTextFileSync(programs.opened());
      assert(page.includes("tests.log"), "the report must list the files");
      await terminal.ask(steps.take("!trimtab status"), /● Done\./);
      assertStringIncludes(newestText(mock), status.split("\n")[0] ?? "");
    });
  }
  await next("Show the percentage in your status line", async () => {
    const settings = `${home.config}/settings.json`;
    const before = Deno.readTextFileSync(settings);
    const preview = steps.fence("Show the percentage in your status line");
    assertMatch(await shell(preview), /^\+ +"statusLine"/m);
    assertEquals(Deno.readTextFileSync(settings), before, "a preview must not write");
    const own = '{ "statusLine": { "type": "command", "command": "true" },';
    const changed = before.replace("{", own);
    Deno.writeTextFileSync(settings, changed);
    const install = preview.replace(" --dry-run", "");
    await shell(install);
    const kept = Deno.readTextFileSync(settings);
    assertEquals(kept, changed, "an existing status line is never replaced");
    Deno.writeTextFileSync(settings, before);
    await shell(install);
    assert(Deno.readTextFileSync(settings) !== before);
  });
  await next("Shorten long outputs before the model sees them", async () => {
    await shell(steps.fence("Shorten long outputs before the model sees them"));
    await using terminal = await open();
    await terminal.see(/–\/180k/);
    await terminal.ask("run the tests", /● Done\./);
    const shaped = /\n(\[trimtab: shaped from 25,\d{3} characters .*? is in (\S+):[^]*?)\n\n</;
    const [, result = "", kept = ""] = shaped.exec(newestText(mock)) ?? [];
    assert(result.length < 500 && result.includes("--- FAIL: TestOfAll"), result);
    assertEquals(Deno.readTextFileSync(kept), LOG);
    await terminal.see(/\d+% \d+k\/180k/);
    await shell(steps.take("trimtab live --off"));
    await terminal.ask("now run the tests again", /● Done\./);
    assert(newestText(mock).includes("--- PASS: TestNumber17 "), "outputs must be complete again");
  });
  await next("Contribute", async () => {
    const printed = await shell(`cd "${PLUGIN}"\n${steps.fence("Contribute")}`);
    assertMatch(printed, /The temporary folder is removed/);
  });
  assertEquals([...steps.left], [], "README has steps that the test does not type");
});

type RunStep = (name: string, run: () => Promise<void>) => Promise<void>;

interface Bed {
  readonly terminal: Terminal;
  readonly mock: Mock;
  readonly home: TestHome;
}

/** Types the table's commands in order, and returns the session and line of the first cut output. */
async function typeCommandTable(next: RunStep, steps: Steps, bed: Bed): Promise<string> {
  const { terminal, mock, home } = bed;
  let cut = "";
  const rows: Readonly<Record<string, (step: string) => Promise<void>>> = {
    "/trim --status": async (step) => {
      const shown = /Tool results [^]*Would free[^]*\/compact, typically +[\d,]+/;
      await sayWithoutRequest(bed, step, shown);
    },
    "/trim": async (step) => {
      await sayWithoutRequest(bed, step, /trimmed in place: [^]*Undo: \/trim --undo/);
      await terminal.ask("after the trim", /● Done\./);
      const [, line, session] = /See line (\d+) of ([0-9a-f]{8}) for full/.exec(newestText(mock)) ??
        [];
      cut = `${session}:${line}`;
      assertEquals(sessionIds(home).length, 1, "in place");
      await sayWithoutRequest(bed, "/trim --status", /Last trim/);
    },
    "/trim --undo": async (step) => {
      await sayWithoutRequest(bed, step, /trim undone/);
      const deep = steps.take("/trim --depth deep");
      await sayWithoutRequest(bed, deep, /--depth deep[^]*trimmed in place/);
      await sayWithoutRequest(bed, step, /--undo[^]*trim undone/);
      const before = savesOf(home).length;
      await terminal.say("/compact", /❯ \/compact\n[^]*Compacted/);
      assertEquals(savesOf(home).length, before + 1);
      await terminal.ask("after the compaction", /● Done\./);
      assertStringIncludes(newestText(mock), "## Resuming from Checkpoint");
      await sayWithoutRequest(bed, step, /compaction undone/);
      await terminal.ask("after the undo", /● Done\./);
      assertStringIncludes(newestText(mock), "page_0.txt is used.");
      assertStringIncludes(newestText(mock), `${PAGES - 1}.799: words`);
    },
    "/rollover": async (step) => {
      await terminal.ask(step, /● Done\./);
      await terminal.say("/clear", /handoff of [0-9a-f]{8} loaded/);
      await terminal.ask("go on", /● Done\./);
      assertStringIncludes(newestText(mock), "Bind the pages");
    },
    "/save-checkpoint": async (step) => {
      const before = savesOf(home);
      await terminal.ask(step, /● Done\./);
      const [saved = ""] = savesOf(home).filter((path) => !before.includes(path));
      assertStringIncludes(Deno.readTextFileSync(saved), "Sort the pages by weight");
      await terminal.say(steps.take("/clear"), /loaded checkpoint/);
      await terminal.ask("and on", /● Done\./);
      assertStringIncludes(newestText(mock), "Sort the pages by weight");
    },
  };
  const table = sectionOf("Five things to type").matchAll(/^\| `([^`]+)` +\|/gm);
  for (const [, step = ""] of table) {
    await next(step, async () => {
      assert(Object.hasOwn(rows, step), `README lists ${step}, but no row types it`);
      await rows[step]?.(steps.take(step));
    });
  }
  return cut;
}
