/**
 * Sessions that only the interactive client can make.
 *
 * @module
 */

import type { TurnLike } from "../bed/mock_api.ts";
import type { Terminal } from "../bed/terminal.ts";
import { isNewerClient } from "../bed/version.ts";
import type { Bench, GoldenSession } from "./bench.ts";
import { bash, LONG } from "./script.ts";

const IS_NEWER = await isNewerClient();

/** How often a key is pressed, and how long its effect is waited for. */
const MOST_TRIES = 5;
const TRY_MS = 3000;

/** Every session that is made in a terminal. */
export const TERMINAL_SESSIONS: GoldenSession[] = [
  {
    name: "interrupts, the user's own commands, a queued prompt, a rewind",
    evidence: [
      IS_NEWER ? /Request interrupted by user/ : /Request interrupted by user for tool use/,
      IS_NEWER ? /<bash-std(out|err)>typed-by-hand/ : /<bash-stdout>typed-by-hand/,
      ...(IS_NEWER ? [] : [/"subtype":"local_command"/]),
      /"type":"queued_command"/,
      /to be taken back[^]*answer-E/,
    ],
    turns: () => [
      "answer-A",
      [bash("sleep 30"), bash("echo never mind")],
      "answer-B",
      [bash("until [ -e go ]; do sleep 0.1; done")],
      "answer-C",
      "answer-D",
      "answer-E",
    ],
    make: (bench) =>
      inTerminal(bench, async (terminal) => {
        await ask(terminal, "prompt A", /answer-A/);
        await ask(terminal, "prompt B", /Running[^]*never mind/);
        await terminal.press("Escape");
        await terminal.see(/Interrupted/);
        await ask(terminal, "! echo typed-by-hand", /answer-B/);
        await ask(terminal, "/cost", IS_NEWER ? /Estimated cost/ : /Total cost/);
        await terminal.press("Escape");
        // Newer clients show costs on a page of their settings, and write nothing about it.
        if (IS_NEWER) await terminal.unsee(/Estimated cost/);
        else await terminal.see(/dismissed/);
        await ask(
          terminal,
          "prompt C",
          IS_NEWER ? /until[^]*Running|Running until/ : /until[^]*Running/,
        );
        await ask(terminal, "in the queue", /edit queued messages/);
        Deno.writeTextFileSync(`${bench.home.cwd}/go`, "");
        await terminal.see(/answer-C/);
        await ask(terminal, "prompt D, to be taken back", /answer-D/);
        await rewind(terminal, 1, "Restore conversation");
        await terminal.see(/─\n❯\sprompt D/);
        await terminal.press("C-u");
        await ask(terminal, "prompt E", /answer-E/);
      }),
  },
  {
    name: "summarized from a message on",
    evidence: [/^(?=.*"uuid":"([^"]+)").*"anchorUuid":"\1"/m],
    turns: threeExchanges,
    make: (bench) => summarized(bench, 1, "Summarize from here"),
  },
  {
    name: "summarized up to a message",
    evidence: [/"preservedMessages"/],
    turns: threeExchanges,
    make: (bench) => summarized(bench, 2, "Summarize up to here"),
  },
];

/** Three exchanges, and one for what comes after. */
function threeExchanges(): TurnLike[] {
  return [
    `answer-A ${LONG}`,
    [bash("sleep 0.2; echo one"), bash("echo two")],
    "answer-B",
    "answer-C",
    "answer-D",
  ];
}

/** The prompts of {@link threeExchanges}, and what the menu of a prompt, counted from the last, offers. */
function summarized(bench: Bench, back: number, choice: string): Promise<void> {
  return inTerminal(bench, async (terminal) => {
    await ask(terminal, "prompt A", /answer-A/);
    await ask(terminal, "prompt B", /answer-B/);
    await ask(terminal, "prompt C", /answer-C/);
    await rewind(terminal, back, choice);
    await terminal.see(/Summarized \d+ messages/);
    await terminal.press("C-u");
    await ask(terminal, "prompt D", /answer-D/);
  });
}

async function inTerminal(bench: Bench, use: (terminal: Terminal) => Promise<void>): Promise<void> {
  await using terminal = await bench.open();
  await use(terminal);
  await terminal.submit("/exit");
  await terminal.ended();
  const names = [...Deno.readDirSync(bench.home.sessions)].map(({ name }) => name);
  const [name, ...others] = names.filter((name) => name.endsWith(".jsonl"));
  if (name === undefined || others.length > 0) {
    throw new Error(`Cannot tell which session: ${names}`);
  }
  bench.sessionId = name.replace(".jsonl", "");
}

async function ask(terminal: Terminal, prompt: string, answer: RegExp): Promise<void> {
  await terminal.submit(prompt);
  await terminal.see(answer);
}

async function rewind(terminal: Terminal, back: number, choice: string): Promise<void> {
  await terminal.submit("/rewind");
  await terminal.see(/❯ \(current\)/);
  for (let moved = 0; moved < back; moved++) await terminal.press("Up");
  await terminal.unsee(/❯ \(current\)/);
  await terminal.press("Enter");
  const menu = await terminal.see(/❯ 1\. Restore/);
  const number = new RegExp(`(\\d)\\. ${choice}`).exec(menu)?.[1];
  if (number === undefined) throw new Error(`Cannot choose "${choice}":\n${menu}`);
  await pressUntilGone(terminal, number, /❯ 1\. Restore/);
}

/** A menu is drawn before it takes keys: on a busy machine the first one can be lost. */
async function pressUntilGone(terminal: Terminal, key: string, shown: RegExp): Promise<void> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    await terminal.press(key);
    try {
      await terminal.unsee(shown, TRY_MS);
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}
