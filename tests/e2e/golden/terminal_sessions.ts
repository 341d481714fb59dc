/** Sessions that only the interactive client can make. */

import type { TurnLike } from "../bed/mock_api.ts";
import { pick, pressUntilGone } from "../bed/menu.ts";
import type { Terminal } from "../bed/terminal.ts";
import type { Bench, GoldenSession } from "./bench.ts";
import { bash, LONG } from "./script.ts";

const RUNNING = /until[^]*Running|Running until/;

export const TERMINAL_SESSIONS: GoldenSession[] = [
  {
    name: "interrupts, the user's own commands, a queued prompt, a rewind",
    evidence: [
      /Request interrupted by user/,
      /<bash-std(out|err)>typed-by-hand/,
      /"type":"queued_command"/,
      /to be taken back[^]*answer-E/,
    ],
    turns: () => [
      "answer-A",
      [bash("until [ -e never ]; do sleep 0.1; done"), bash("echo never mind")],
      "answer-B",
      [bash("until [ -e go ]; do sleep 0.1; done")],
      "answer-C",
      "answer-D",
      "answer-E",
    ],
    make: (bench) =>
      inTerminal(bench, async (terminal) => {
        await terminal.say("prompt A", /answer-A/);
        await terminal.say("prompt B", RUNNING);
        await terminal.press("Escape");
        await terminal.see(/Interrupted/);
        await terminal.say("! echo typed-by-hand", /answer-B/);
        await terminal.say("/cost", /Estimated cost/);
        await pressUntilGone(terminal, "Escape", /Estimated cost/);
        await terminal.say("prompt C", RUNNING);
        await terminal.say("in the queue", /edit queued messages/);
        Deno.writeTextFileSync(`${bench.home.cwd}/go`, "");
        await terminal.see(/answer-C/);
        await terminal.say("prompt D, to be taken back", /answer-D/);
        await rewind(terminal, "prompt D, to be taken back", "Restore conversation");
        await terminal.see(/─\n❯\sprompt D/);
        await terminal.press("C-u");
        await terminal.say("prompt E", /answer-E/);
      }),
  },
  {
    name: "summarized from a message to the end",
    evidence: [/^(?=.*"uuid":"([^"]+)").*"anchorUuid":"\1"/m],
    turns: threeExchanges,
    make: (bench) => summarize(bench, "prompt C", "Summarize from here"),
  },
  {
    name: "summarized up to a message",
    evidence: [/"preservedMessages"/],
    turns: threeExchanges,
    make: (bench) => summarize(bench, "prompt B", "Summarize up to here"),
  },
];

function threeExchanges(): TurnLike[] {
  return [
    `answer-A ${LONG}`,
    [bash("sleep 0.2; echo one"), bash("echo two")],
    "answer-B",
    "answer-C",
    "answer-D",
  ];
}

function summarize(bench: Bench, from: string, choice: string): Promise<void> {
  return inTerminal(bench, async (terminal) => {
    await terminal.say("prompt A", /answer-A/);
    await terminal.say("prompt B", /answer-B/);
    await terminal.say("prompt C", /answer-C/);
    await rewind(terminal, from, choice);
    await terminal.see(/Summarized \d+ messages/);
    await terminal.press("C-u");
    await terminal.say("prompt D", /answer-D/);
  });
}

async function inTerminal(bench: Bench, use: (terminal: Terminal) => Promise<void>): Promise<void> {
  await using terminal = await bench.open();
  await use(terminal);
  await terminal.exit();
  const names = [...Deno.readDirSync(bench.home.sessions)].map(({ name }) => name);
  const [name, ...others] = names.filter((name) => name.endsWith(".jsonl"));
  if (name === undefined || others.length > 0) {
    throw new Error(`Cannot identify the session: found ${names}`);
  }
  bench.sessionId = name.replace(".jsonl", "");
}

async function rewind(terminal: Terminal, prompt: string, choice: string): Promise<void> {
  await terminal.say("/rewind", /❯ \(current\)/);
  await pick(terminal, prompt, "Up");
  await pressUntilGone(terminal, "Enter", /\(current\)/);
  const menu = await terminal.see(/❯ 1\. Restore/);
  const number = new RegExp(`(\\d)\\. ${choice}`).exec(menu)?.[1];
  if (number === undefined) throw new Error(`Cannot choose "${choice}":\n${menu}`);
  await pressUntilGone(terminal, number, /❯ 1\. Restore/);
}
