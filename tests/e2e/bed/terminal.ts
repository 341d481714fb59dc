/**
 * Drives the interactive client in a tmux of its own.
 *
 * @module
 */

import { clientArgs } from "./client.ts";
import { environmentOf, type EnvironmentOptions, type TestHome } from "./home.ts";
import { findClient } from "./install.ts";
import type { Mock } from "./mock_api.ts";

const COLUMNS = 120;
const ROWS = 40;
/** The client is ready when a rule with a prompt below it is drawn. */
const INPUT_BOX = /^─+\n❯/m;
/** The module has put the command that resumes a copy into the input box. */
export const RESUME_IN_BOX = /^❯.\/resume [0-9a-f-]{36} *$/m;
const POLL_MS = 40;
/** A bound for a client that hangs: on a busy machine a screen that takes a second takes many. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Typed text that does not show within this time is typed again. */
const RETYPE_MS = 20_000;

/** Attempts to type a line until it is alone in the box. */
const MAX_TYPINGS = 3;

export interface TerminalOptions extends EnvironmentOptions {
  home: TestHome;
  mock: Mock;
  /** Further arguments, such as `["--resume", id]`. */
  args?: string[];
  /** A plugin to load. */
  pluginDir?: string;
  /** Columns and rows of the screen. @default {[120, 40]} */
  size?: readonly [number, number];
}

/** An interactive client on a screen. */
export interface Terminal extends AsyncDisposable {
  /** The text on the screen. */
  screen(): Promise<string>;
  /** The same with the escape sequences of its colours. */
  colours(): Promise<string>;
  /** Waits until the screen matches, and returns it; an error shows the screen at the deadline. */
  see(pattern: RegExp, timeoutMs?: number): Promise<string>;
  /** Waits until the screen does not match any more. */
  unsee(pattern: RegExp, timeoutMs?: number): Promise<string>;
  /** Types text as it stands, without Enter. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `Escape`, `Up`, `C-c`. */
  press(...keys: string[]): Promise<void>;
  /** Types a line, waits until it is in the input box, and presses Enter. */
  submit(line: string): Promise<void>;
  /** Waits until the client has ended by itself, as after `/exit`. */
  ended(timeoutMs?: number): Promise<void>;
  /** Ends the client and its tmux. */
  close(): Promise<void>;
}

/**
 * Whether tmux can be run here.
 *
 * Needs `--allow-run=tmux`.
 *
 * @returns False when there is none: a test that needs it says so and is skipped.
 */
export function hasTmux(): boolean {
  try {
    return new Deno.Command("tmux", { args: ["-V"], stdout: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Starts the interactive client and waits for its input box.
 *
 * Needs everything {@link findClient} needs, and `--allow-run=tmux`.
 *
 * @param options Who runs, and against what.
 * @returns The terminal; dispose of it at the end of the test.
 * @throws {Error} When tmux fails or no input box shows.
 */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const { home, mock } = options;
  // In the test's own home, so that nothing is left behind; short, for systems that limit its length.
  const socket = `${home.home}/tmux-${crypto.randomUUID().slice(0, 4)}`;
  const env = { ...environmentOf(home, mock.url, options), TERM: "xterm-256color" };
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const program = ["env", "-i", ...pairs, await findClient(), ...clientArgs(options)];
  const [columns, rows] = options.size ?? [COLUMNS, ROWS];
  const size = ["-x", String(columns), "-y", String(rows)];
  const tmux = (...args: string[]): Promise<string> => runTmux(socket, args);
  // A client that ends early must leave its last words on the screen.
  const setup = ["set-option", "-g", "remain-on-exit", "on", ";"];
  await tmux(...setup, "new-session", "-d", "-s", "main", ...size, "-c", home.cwd, ...program);

  const pane = async (format: string): Promise<string> =>
    (await tmux("display-message", "-p", "-t", "main", format)).trim();
  const screen = (): Promise<string> => tmux("capture-pane", "-p", "-t", "main");
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
  /** Waits a while for the input box to be as wanted, and returns it as it is then. */
  async function boxOnce(wanted: (box: string) => boolean): Promise<string> {
    const deadline = Date.now() + RETYPE_MS;
    for (;;) {
      const box = inputBox(await screen());
      if (wanted(box) || Date.now() > deadline) return box;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  async function submit(line: string): Promise<void> {
    const whole = line.replace(/\s/g, "");
    const end = whole.slice(-40);
    for (let attempt = 1;; attempt++) {
      await type(line);
      // Enter that arrives in the same read as the text is taken for a pasted line break.
      const box = await boxOnce((now) => now.includes(end));
      // A `!` that is read by itself turns the box into one for the shell.
      const isAlone = box.startsWith(`❯${whole}`) ||
        (line.startsWith("!") && box.startsWith(whole));
      const isLast = attempt === MAX_TYPINGS;
      if (isAlone || (isLast && box.includes(end))) break;
      if (isLast) {
        throw new Error(`Cannot type "${line}": the screen shows:\n${await screen()}`);
      }
      // After a command that a hook has blocked, the client puts it into the box again, in its own time;
      // a plugin may fill the box just when somebody types.
      // Text typed in the same read as the key would count as a paste that includes it.
      await press("C-u");
      await boxOnce((now) => now !== box);
    }
    await press("Enter");
  }
  const ended = async (timeoutMs = DEFAULT_TIMEOUT_MS): Promise<void> => {
    await poll(async () => await pane("#{pane_dead}") === "1", "the client's end", timeoutMs);
  };
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    try {
      if (await pane("#{pane_dead}") !== "1") hangUp(Number(await pane("#{pane_pid}")));
      // The client writes its last lines now; its home must not be removed before.
      await ended();
    } finally {
      await tmux("kill-server");
    }
  }
  const terminal: Terminal = {
    screen,
    colours: () => tmux("capture-pane", "-e", "-p", "-t", "main"),
    see: (pattern, timeoutMs) => poll((shown) => pattern.test(shown), String(pattern), timeoutMs),
    unsee: (pattern, timeoutMs) =>
      poll((shown) => !pattern.test(shown), `no ${pattern}`, timeoutMs),
    type,
    press,
    submit,
    ended,
    close,
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

function hangUp(pid: number): void {
  try {
    Deno.kill(pid, "SIGHUP");
  } catch (error) {
    // It may have ended between the question and the signal.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The text in the input box without spaces: a long line is wrapped there. */
function inputBox(shown: string): string {
  const start = Math.max(shown.lastIndexOf("❯"), shown.lastIndexOf("\n!"));
  if (start === -1) return "";
  // Below the box are status lines.
  const [box = ""] = shown.slice(start).split(/^─+$/m);
  return box.replace(/\s/g, "");
}

async function runTmux(socket: string, args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("tmux", {
    args: ["-S", socket, "-f", "/dev/null", ...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!success) {
    throw new Error(`Cannot run tmux ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  }
  return new TextDecoder().decode(stdout);
}
