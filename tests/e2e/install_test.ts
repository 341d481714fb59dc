/**
 * Runs `trimtab install` with the real client: the hooks and skills that it installs work, and `--uninstall`
 * removes them completely.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { runDoctor } from "../../src/doctor/check/doctor.ts";
import { VERSION } from "../../src/version.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { listCheckpoints } from "../../src/saved/store.ts";
import { partOf } from "../full.ts";
import { copyPlugin } from "../plugin_copy.ts";
import { newSmallHome, type TestHome } from "./bed/client.ts";
import { newestText, PROMPT_TOO_LONG, startMock, type TurnLike } from "./bed/mock_api.ts";
import { startChat } from "./chat.ts";
import { test } from "./client_tests.ts";
import { bash, runTrimtab, sayWithoutRequest } from "./trim_steps.ts";

/** A folder name that reveals any quoting mistake. */
const AWKWARD = 'it\'s a $HOME "tab" ü';

const FULL = { input_tokens: 152_000 };

const OWN_TEXT = /Context at \d+%|<trimtab-data|trimtab status/;

async function ask(home: TestHome, prompt: string, turns: TurnLike[]): Promise<string> {
  await using mock = startMock({ turns });
  await using chat = await startChat({ home, mock });
  await chat.say(prompt);
  return newestText(mock);
}

/** Matches a warning at 152,000 of the client's limit of 180,000 tokens. */
const AT_LEVEL = /Context at 8[45]%/;

for (const scope of partOf(["user", "project"] as const, 1, "scopes of install")) {
  Deno.test(`the setup of install --${scope} works in the client, and is gone after --uninstall`, async (t) => {
    using home = newSmallHome();
    const folder = scope === "user" ? home.config : `${home.cwd}/.claude`;
    Deno.mkdirSync(folder, { recursive: true });
    const settings = `${folder}/settings.json`;
    const original = '{\n\t"includeCoAuthoredBy": false\n}';
    Deno.writeTextFileSync(settings, original);
    const root = copyPlugin(`${home.home}/${AWKWARD}`);
    await runTrimtab(home, ["install", `--${scope}`], root);

    const turns: TurnLike[] = [
      { blocks: [bash("trimtab --version")], usage: FULL },
      { blocks: [{ type: "text", text: "Well." }], usage: FULL },
      ...["Looked.", "Saved.", "Saved again."],
      { error: PROMPT_TOO_LONG },
      "Went on.",
    ];
    await using mock = startMock({ turns });
    await using chat = await startChat({ home, mock });
    await chat.say("Work.");
    const first = newestText(mock);
    await t.step("a warning reaches the model", () => {
      assertMatch(first, AT_LEVEL);
    });
    await t.step("the Bash tool finds the command", () => {
      assertMatch(first, new RegExp(`^${RegExp.escape(VERSION)}$`, "m"));
    });
    await t.step("/trim is answered without a request", async () => {
      assertMatch(await sayWithoutRequest(chat, mock, "/trim --dry-run"), /No copy was made/);
    });
    await t.step("a skill includes the output of its command", async () => {
      await chat.say("/context-management");
      assertMatch(newestText(mock), AT_LEVEL);
      assertStringIncludes(newestText(mock), "This session now:");
    });
    await t.step("/save-checkpoint and its older name /checkpoint run the skill", async () => {
      for (const name of ["/save-checkpoint", "/checkpoint"]) {
        await chat.say(name);
        assertMatch(newestText(mock), /as it would be saved:\s+---\n/);
      }
    });
    await t.step("a checkpoint is saved before a compaction", async () => {
      await chat.say("Go on.");
      assertStringIncludes(newestText(mock), "## Resuming from Checkpoint");
      const [checkpoint] = listCheckpoints({ projectDir: home.cwd });
      assertEquals([checkpoint?.trigger, checkpoint?.verified], ["auto", true]);
    });
    await chat.end();

    await t.step("the doctor finds no problem", () => {
      const { cwd: projectDir, config: configDir } = home;
      const { findings } = runDoctor({ projectDir, configDir, root });
      assertEquals(findings, []);
    });

    await t.step("clean --all removes everything that trimtab stored", async () => {
      const cleaned = await runTrimtab(home, ["clean", "--all", "--apply", "--json"], root);
      assertEquals(JSON.parse(cleaned).others, []);
      assert(!existsSync(`${home.cwd}/.claude/trimtab`));
      assert(!existsSync(`${home.cwd}/.claude/checkpoints`));
      assertEquals(readIndex(home.config).checkpoints, []);
    });

    await runTrimtab(home, ["install", `--${scope}`, "--uninstall"], root);
    await t.step("settings and skills are as they were", () => {
      assertEquals(Deno.readTextFileSync(settings), original);
      assert(!existsSync(`${folder}/skills`));
    });
    await t.step("the client shows no trace of trimtab", async () => {
      const tried = [{ blocks: [bash("trimtab --version")], usage: FULL }, "Well."];
      const request = await ask(home, "Work anew.", tried);
      assert(!OWN_TEXT.test(request), request.match(OWN_TEXT)?.[0]);
      assertStringIncludes(request, "not found");
    });
  });
}

test.full("the client ignores settings with a comment or a trailing comma, and install refuses them", async () => {
  for (const text of ['{\n  // mine\n  "model": "haiku"\n}', '{ "model": "haiku", }']) {
    using home = newSmallHome();
    Deno.writeTextFileSync(`${home.config}/settings.json`, text);
    assertStringIncludes(await runTrimtab(home, ["install", "--skill"]), "it is not JSON");
    const turns = [{ blocks: [bash("true")], usage: FULL }, "Well."];
    assert(!OWN_TEXT.test(await ask(home, "Work.", turns)));
  }
});

test.full("hooks that are installed for the user and for the project run once", async () => {
  using home = newSmallHome();
  for (const scope of ["--user", "--project"]) await runTrimtab(home, ["install", scope]);
  const turns = [{ blocks: [bash("true")], usage: FULL }, "Well."];
  const request = await ask(home, "Work.", turns);
  assertEquals(request.match(new RegExp(AT_LEVEL, "g"))?.length, 1);
});
