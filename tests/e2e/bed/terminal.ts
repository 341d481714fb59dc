/** Drives the interactive client in its own tmux server. */

import { findProgram } from "../../../src/store/programs.ts";
import { clientArgs } from "./client.ts";
import { environmentOf, type EnvironmentOptions, type TestHome } from "./home.ts";
import { findClient } from "./install.ts";
import type { Mock } from "./mock_api.ts";
import { connectTmux, runTmux } from "./tmux.ts";

const COLUMNS = 120;
const ROWS = 40;
/** A horizontal line with a prompt below it, which appears once the client is ready. */
const INPUT_BOX = /^─+\n❯/m;
/** The input box after the module has filled in the command that resumes a copy. */
export const RESUME_IN_BOX = /^❯.\/resume [0-9a-f-]{36} *$/m;
const POLL_MS = 40;
/** Timeout for a client that hangs; generous, because the machine may be busy. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Text that has not appeared within this time is typed again. */
const RETYPE_MS = 20_000;

/**
 * Maximum attempts to type a line until it is alone in the input box. After the last attempt, other text in
 * the box is accepted.
 */
const MAX_TYPINGS = 3;

export interface TerminalOptions extends EnvironmentOptions {
  home: TestHome;
  mock: Mock;
  args?: string[];
  pluginDir?: string;
  /** Columns and rows of the screen. @default {[120, 40]} */
  size?: readonly [number, number];
}

export interface Terminal extends AsyncDisposable {
  screen(): Promise<string>;
  colours(): Promise<string>;
  /**
   * Waits until the screen matches, and returns the screen; throws with the screen if it does not match in
   * time.
   */
  see(pattern: RegExp, timeoutMs?: number): Promise<string>;
  unsee(pattern: RegExp, timeoutMs?: number): Promise<string>;
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `Escape`, `Up`, `C-c`. */
  press(...keys: string[]): Promise<void>;
  submit(line: string): Promise<void>;
  /** Submits a line, and waits until the screen matches. */
  say(line: string, answer: RegExp): Promise<string>;
  /**
   * Submits a prompt, waits until the mock has ended the turn, and then until the screen shows the
   * answer below the prompt. The screen alone could show an older answer in a half-drawn frame.
   */
  ask(prompt: string, answer: RegExp): Promise<string>;
  /** Submits `/exit`, and waits until the client has ended. */
  exit(): Promise<void>;
}

export function hasTmux(): boolean {
  return findProgram("tmux", Deno.env.get("PATH")) !== null;
}

/** Starts the interactive client and waits for its input box. Dispose of the result at the end of the test. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { home, mock } = options;
  // The socket is in the home, which is removed after the test. Its name is short, since some systems
  // limit the length of a socket path.
  const socket = `${home.home}/tmux-${crypto.randomUUID().slice(0, 4)}`;
  const env = { ...environmentOf(home, mock.url, options), TERM: "xterm-256color" };
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const program = ["env", "-i", ...pairs, await findClient(), ...clientArgs(options)];
  const [columns, rows] = options.size ?? [COLUMNS, ROWS];
  const size = ["-x", String(columns), "-y", String(rows)];
  const tmux = (...args: string[]): Promise<string> => runTmux(socket, args);
  // If the client ends early, its last output remains on the screen.
  const setup = ["set-option", "-g", "remain-on-exit", "on", ";"];
  await tmux(...setup, "new-session", "-d", "-s", "main", ...size, "-c", home.cwd, ...program);

  const control = connectTmux(socket, "main");
  const pane = async (format: string): Promise<string> =>
    (await control.run(`display-message -p -t main '${format}'`)).trim();
  const screen = (): Promise<string> => control.run("capture-pane -p -t main");
  async function poll(
    done: (shown: string) => boolean | Promise<boolean>,
    what: string,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  ): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const shown = await screen();
      if (await done(shown)) return shown;
      if (Date.now() > deadline) {
        throw new Error(`Cannot see ${what}: the screen shows after ${timeoutMs} ms:\n${shown}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  const type = async (text: string): Promise<void> => {
    await tmux("send-keys", "-t", "main", "-l", "--", text);
  };
  const press = async (...keys: string[]): Promise<void> => {
    await tmux("send-keys", "-t", "main", ...keys);
  };
  /** Waits until `wanted` accepts the input box or a timeout passes; returns the box in both cases. */
  async function waitForBox(wanted: (box: string) => boolean): Promise<string> {
    const shown = await poll((shown) => wanted(inputBox(shown)), "the line", RETYPE_MS).catch(
      screen,
    );
    return inputBox(shown);
  }
  async function submit(line: string): Promise<void> {
    const whole = line.replace(/\s/g, "");
    const end = whole.slice(-40);
    for (let attempt = 1;; attempt++) {
      await type(line);
      // Waits before pressing Enter. If the text and Enter arrive in one read, the client treats Enter as a
      // pasted line break.
      const box = await waitForBox((now) => now.includes(end));
      // If the client reads a `!` separately, it switches the box to shell mode, which shows no `❯`.
      const isAlone = box.startsWith(`❯${whole}`) ||
        (line.startsWith("!") && box.startsWith(whole));
      const isLast = attempt === MAX_TYPINGS;
      if (isAlone || (isLast && box.includes(end))) break;
      if (isLast) {
        throw new Error(`Cannot type "${line}": the screen shows:\n${await screen()}`);
      }
      // If a hook blocked a command, the client later puts the command back into the box, and a plugin may
      // fill the box while the test types. Therefore, the test clears the box and tries again. It waits in
      // between, because the client would treat text and key in the same read as a paste.
      await press("C-u");
      await waitForBox((now) => now !== box);
    }
    await press("Enter");
  }
  async function ask(prompt: string, answer: RegExp): Promise<string> {
    const { endedTurns } = mock;
    await submit(prompt);
    await poll(() => mock.endedTurns > endedTurns, `the end of the turn of "${prompt}"`);
    // The client shows a shell command after a `!`, and a skill by its full name.
    const words = RegExp.escape(prompt.replace(/^[!/]/, ""));
    const shown = new RegExp(`^[❯!].*${words}[^]*${answer.source}`, "m");
    return await poll((screen) => shown.test(screen), String(shown));
  }
  const waitForEnd = async (): Promise<void> => {
    await poll(async () => await pane("#{pane_dead}") === "1", "the client's end");
  };
  async function close(): Promise<void> {
    try {
      if (await pane("#{pane_dead}") !== "1") sendHangUp(Number(await pane("#{pane_pid}")));
      // The client writes its last lines now, so its home must remain until it has ended.
      await waitForEnd();
    } finally {
      await tmux("kill-server");
      await control[Symbol.asyncDispose]();
    }
  }
  const see: Terminal["see"] = (pattern, timeoutMs) =>
    poll((shown) => pattern.test(shown), String(pattern), timeoutMs);
  const terminal: Terminal = {
    screen,
    colours: () => control.run("capture-pane -e -p -t main"),
    see,
    unsee: (pattern, timeoutMs) =>
      poll((shown) => !pattern.test(shown), `no ${pattern}`, timeoutMs),
    type,
    press,
    submit,
    say: (line, answer) => submit(line).then(() => see(answer)),
    ask,
    exit: () => submit("/exit").then(waitForEnd),
    [Symbol.asyncDispose]: close,
  };
  try {
    await terminal.see(INPUT_BOX);
  } catch (error) {
    await close();
    throw error;
  }
  return terminal;
}

function sendHangUp(pid: number): void {
  try {
    Deno.kill(pid, "SIGHUP");
  } catch (error) {
    // The client may have ended between the check and the signal.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Returns the text of the input box without spaces, since the client wraps long lines. */
function inputBox(shown: string): string {
  const start = Math.max(shown.lastIndexOf("❯"), shown.lastIndexOf("\n!"));
  if (start === -1) return "";
  const [box = ""] = shown.slice(start).split(/^─+$/m);
  return box.replace(/\s/g, "");
}
