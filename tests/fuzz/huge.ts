/**
 * Measures the peak memory of commands on sessions with one line of 100 MB:
 * `deno run -A tests/fuzz/huge.ts [MB]`. The bound is 96 MB, plus twice the longest line, plus 100 bytes
 * per entry.
 *
 * @module
 */

import { cleanEnv } from "../../tools/child.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const SESSION = "b82405ba-0000-4000-8000-000000000000";
const BASE_MB = 96;
const DEFAULT_LINE_MB = 100;
const MAX_RUN_MS = 60_000;

const SHAPES: Readonly<Record<string, (long: string) => string>> = {
  "a result of a tool": (long) =>
    user(`[{"type":"tool_result","tool_use_id":"t1","content":${long}}]`),
  "what a user typed": (long) => user(long),
  "a mirror": (long) =>
    `${user('[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]').slice(0, -1)},` +
    `"toolUseResult":{"originalFile":${long}}}`,
  "the arguments of a call": (long) =>
    '{"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"id":"m","role":"assistant",' +
    `"content":[{"type":"tool_use","id":"t2","name":"Write","input":{"content":${long}}}]}}`,
  "an unknown line": (long) => `{"type":"some-new-type","payload":${long}}`,
  "no JSON at all": (long) => long.slice(1, -1),
};

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  status: ["status", SESSION, "--json"],
  trim: ["trim", SESSION, "--json", "--keep-recent", "0"],
  "trim --dry-run": ["trim", SESSION, "--json", "--dry-run"],
  checkpoint: ["checkpoint", SESSION, "--json"],
  snapshot: ["snapshot", SESSION, "--name", "n", "--json"],
  search: ["search", "needle", SESSION, "--json"],
  rescue: ["rescue", SESSION, "--dry-run", "--json"],
  report: ["report", SESSION, "--json"],
};

function user(content: string): string {
  return `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"${SESSION}",` +
    `"message":{"role":"user","content":${content}}}`;
}

interface Measured {
  code: number;
  seconds: number;
  peakMb: number;
}

async function measure(words: readonly string[], home: string): Promise<Measured> {
  const args = ["run", "--no-check", "--no-prompt", "--allow-all", `${ROOT}scripts/trimtab.ts`];
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args, ...words],
    cwd: `${home}/project`,
    clearEnv: true,
    env: cleanEnv({ HOME: home, CLAUDE_PROJECT_DIR: `${home}/project` }),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), MAX_RUN_MS);
  let peakMb = 0;
  const poll = setInterval(() => peakMb = Math.max(peakMb, peakOf(child.pid)), 20);
  const { code } = await child.status;
  clearTimeout(timer);
  clearInterval(poll);
  return { code, seconds: (performance.now() - started) / 1000, peakMb };
}

/** Reads the kernel's high-water mark, which is lost when the process ends. */
function peakOf(pid: number): number {
  try {
    const [, kb = "0"] = /VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`)) ?? [];
    return Math.round(Number(kb) / 1024);
  } catch {
    return 0;
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const lineMb = Number(argv[0] ?? DEFAULT_LINE_MB);
  const only = argv[1];
  const bound = BASE_MB + 2 * lineMb;
  const home = Deno.makeTempDirSync({ prefix: "trimtab-huge-" });
  const sessions = `${home}/.claude/projects/-project`;
  let over = 0;
  try {
    for (const [shape, lineOf] of Object.entries(SHAPES)) {
      if (only !== undefined && shape !== only) continue;
      for (const [name, words] of Object.entries(COMMANDS)) {
        Deno.removeSync(home, { recursive: true });
        Deno.mkdirSync(`${home}/project`, { recursive: true });
        Deno.mkdirSync(sessions, { recursive: true });
        const long = `"${"some words of a needle \\n".repeat(lineMb * 1024 * 1024 / 25)}"`;
        const end = '{"type":"assistant","uuid":"u9","parentUuid":"u1","message":{"id":"m9",' +
          '"role":"assistant","content":[{"type":"text","text":"Done."}],' +
          '"usage":{"input_tokens":90000,"output_tokens":5}}}';
        Deno.writeTextFileSync(`${sessions}/${SESSION}.jsonl`, `${lineOf(long)}\n${end}\n`);
        const { code, seconds, peakMb } = await measure(words, home);
        const exceeds = peakMb > bound || code !== 0;
        if (exceeds) over++;
        console.log(
          `${exceeds ? "OVER" : "ok  "} ${shape.padEnd(24)} ${name.padEnd(15)} code ${code} ` +
            `${seconds.toFixed(1).padStart(5)} s ${String(peakMb).padStart(5)} MB of ${bound}`,
        );
      }
    }
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
  console.log(`${over} over the bound, with a line of ${lineMb} MB`);
  return over > 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
