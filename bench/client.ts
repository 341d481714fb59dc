/**
 * Times the real client with and without parts of the plugin: the start, a batch of tool calls, and a trim in
 * place.
 */

import {
  findClient,
  newHome,
  runClientWell,
  type RunOptions,
  type TestHome,
} from "../tests/e2e/bed/client.ts";
import { type Mock, startMock, type TurnLike } from "../tests/e2e/bed/mock_api.ts";
import { hasTmux, openTerminal } from "../tests/e2e/bed/terminal.ts";
import { copyPlugin, PLUGIN } from "../tests/plugin_copy.ts";
import { formatMs, formatRatio, markdownTable } from "./table.ts";

const BATCHES = 20;

/** A module that does nothing except answer a compaction immediately. */
const TINY_MODULE = `export function register(on) {
  on("session.compact", async (client, event, next) =>
    event.instructions === "trimtab" ? { messages: event.messages.map((row) => ({ role: row.role,
      text: row.text, toolUses: row.toolUses, toolResults: row.toolResults })) } : await next(event));
}
`;

interface Arm {
  readonly name: string;
  readonly pluginDir?: string;
  readonly withDeno?: boolean;
}

/** Measured milliseconds, by arm. */
type Times = Map<string, number[]>;

/** The shortest times in milliseconds, by scenario, then by arm. */
export type ClientFigures = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Times the client. All arms take turns in one run. The start in a terminal is timed only if tmux is installed.
 */
export async function timeClient(
  { runs, session }: { runs: number; session: string },
): Promise<ClientFigures> {
  await findClient();
  using home = newHome();
  const arms = makeArms(home.home);
  const halfRuns = Math.ceil(runs / 2);
  const rows: Record<string, Times> = {
    "claude -p hi": await timeArms(arms, runs, (arm) => timePrint(home, arm)),
    "a batch of tool calls": await timeArms(arms, halfRuns, (arm) => timeBatch(home, arm)),
  };
  if (hasTmux()) {
    const prompt = "to the prompt in a terminal";
    rows[prompt] = await timeArms(arms, runs, (arm) => timePrompt(home, arm));
  }
  rows["/compact trimtab, in place"] = await timeArms(
    arms.filter(({ name }) => name === "tiny module" || name === "all"),
    halfRuns,
    (arm) => timeTrim(home, arm, session),
  );
  return Object.fromEntries(
    Object.entries(rows).map(([what, times]) => [what, shortestOf(times)]),
  );
}

function shortestOf(times: Times): Record<string, number> {
  return Object.fromEntries([...times].map(([arm, elapsedMs]) => [arm, Math.min(...elapsedMs)]));
}

export function clientTable(figures: ClientFigures): string {
  const arms = [...new Set(Object.values(figures).flatMap((row) => Object.keys(row)))];
  return markdownTable(
    ["ms, × the first arm", ...arms],
    Object.entries(figures).map(([what, row]) => {
      const [base] = Object.values(row);
      const cell = (arm: string): string => {
        const ms = row[arm];
        if (ms === undefined || base === undefined) return "-";
        return `${formatMs(ms)}, ${formatRatio(ms / base)}`;
      };
      return [what, ...arms.map(cell)];
    }),
  );
}

function makeArms(folder: string): Arm[] {
  const tiny = `${folder}/tiny`;
  Deno.mkdirSync(`${tiny}/.claude-plugin`, { recursive: true });
  Deno.mkdirSync(`${tiny}/hooks`);
  const manifest = JSON.stringify({ name: "tiny", version: "0.0.1", description: "Nothing" });
  Deno.writeTextFileSync(`${tiny}/.claude-plugin/plugin.json`, manifest);
  Deno.writeTextFileSync(`${tiny}/hooks/hooks.json`, JSON.stringify({ modules: ["./tiny.js"] }));
  Deno.writeTextFileSync(`${tiny}/hooks/tiny.js`, TINY_MODULE);
  const declared = JSON.parse(Deno.readTextFileSync(`${PLUGIN}/hooks/hooks.json`));
  const part = (name: string, hooks: unknown): string => {
    const copy = copyPlugin(`${folder}/${name}`);
    Deno.writeTextFileSync(`${copy}/hooks/hooks.json`, JSON.stringify(hooks));
    return copy;
  };
  return [
    { name: "none" },
    { name: "tiny module", pluginDir: tiny },
    { name: "hooks alone", pluginDir: part("hooks-alone", { ...declared, modules: undefined }) },
    { name: "module alone", pluginDir: part("module-alone", { ...declared, hooks: undefined }) },
    { name: "all", pluginDir: PLUGIN },
    { name: "all, without Deno", pluginDir: PLUGIN, withDeno: false },
  ];
}

async function timeArms(
  arms: readonly Arm[],
  runs: number,
  time: (arm: Arm) => Promise<number>,
): Promise<Times> {
  const times: Times = new Map(arms.map(({ name }) => [name, []]));
  for (let run = -1; run < runs; run++) {
    for (const arm of arms) {
      const elapsedMs = await time(arm);
      // The first round is a warm-up.
      if (run >= 0) times.get(arm.name)?.push(elapsedMs);
    }
  }
  return times;
}

function optionsOf(home: TestHome, mock: Mock, arm: Arm): Omit<RunOptions, "prompt"> {
  const { name: _, ...options } = arm;
  return { home, mock, ...options };
}

async function timePrint(home: TestHome, arm: Arm): Promise<number> {
  await using mock = startMock({ turns: ["Hello."] });
  const start = performance.now();
  await runClientWell({ ...optionsOf(home, mock, arm), prompt: "hi" });
  return performance.now() - start;
}

/**
 * Returns the mean milliseconds between two requests of a turn, including the client's own time. Each
 * answer makes one small call.
 */
async function timeBatch(home: TestHome, arm: Arm): Promise<number> {
  const stamps: number[] = [];
  const call: TurnLike = [{ type: "tool_use", name: "Bash", input: { command: "true" } }];
  await using mock = startMock({
    respond: (request, index) => {
      if (request.kind !== "main") return undefined;
      stamps.push(performance.now());
      return index < BATCHES ? call : "Done.";
    },
  });
  await runClientWell({ ...optionsOf(home, mock, arm), prompt: "go" });
  return ((stamps.at(-1) ?? 0) - (stamps[0] ?? 0)) / BATCHES;
}

async function timePrompt(home: TestHome, arm: Arm): Promise<number> {
  await using mock = startMock();
  const start = performance.now();
  await using terminal = await openTerminal(optionsOf(home, mock, arm));
  const elapsedMs = performance.now() - start;
  await terminal.see(/❯/);
  return elapsedMs;
}

/** Returns the time that the client itself reports for a `/compact` that the plugin answers. */
async function timeTrim(home: TestHome, arm: Arm, session: string): Promise<number> {
  await using mock = startMock();
  const id = crypto.randomUUID();
  const text = Deno.readTextFileSync(session);
  const [, old = ""] = /"sessionId":"([^"]+)"/.exec(text) ?? [];
  Deno.writeTextFileSync(`${home.sessions}/${id}.jsonl`, text.replaceAll(old, id));
  const { json } = await runClientWell({
    ...optionsOf(home, mock, arm),
    prompt: "/compact trimtab",
    args: ["--resume", id],
  });
  return Number(json?.duration_ms);
}
