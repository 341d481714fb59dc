/** Runs commands in a tmux server. */

import { runChild } from "../../../tools/child.ts";
import { linesFrom } from "./stream.ts";

/** Sends commands to a tmux server over one connection, since a process for each would take longer. */
export interface TmuxControl extends AsyncDisposable {
  /**
   * Runs a command in the syntax of tmux's configuration file, such as `capture-pane -p -t main`; returns its
   * output.
   */
  run(command: string): Promise<string>;
}

interface Waiting {
  readonly command: string;
  resolve(output: string): void;
  reject(error: Error): void;
}

/** Matches the lines around a command's output. The final 1 means that this connection sent the command. */
const FRAME = /^%(begin|end|error) (\d+ \d+ 1)$/;

export async function runTmux(socket: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runChild("tmux", [
    ...["-S", socket, "-f", "/dev/null"],
    ...args,
  ]);
  if (code !== 0) throw new Error(`Cannot run tmux ${args[0]}: ${stderr}`);
  return stdout;
}

/** Connects to a running server. Disposing of the connection leaves the server running. */
export function connectTmux(socket: string, session: string): TmuxControl {
  const child = new Deno.Command("tmux", {
    // The connection must not change the size of the session, and needs only the output of commands.
    args: ["-S", socket, "-C", "attach-session", "-t", session, "-f", "no-output,ignore-size"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const waiting: Waiting[] = [];
  const reading = readReplies(child.stdout, waiting);
  async function close(): Promise<void> {
    // The server may have ended the connection already.
    await input.close().catch(() => {});
    await reading;
    await child.status;
  }
  return {
    async run(command): Promise<string> {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      waiting.push({ command, resolve, reject });
      await input.write(new TextEncoder().encode(`${command}\n`));
      return await promise;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Passes each reply to the oldest waiting command, because tmux replies in order. */
async function readReplies(
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>,
  waiting: Waiting[],
): Promise<void> {
  let frame: { readonly id: string; readonly lines: string[] } | undefined;
  for await (const line of linesFrom(stdout)) {
    const [, kind, id = ""] = FRAME.exec(line) ?? [];
    if (frame === undefined) {
      if (kind === "begin") frame = { id, lines: [] };
    } else if (id !== frame.id) {
      frame.lines.push(line);
    } else {
      const output = frame.lines.map((each) => `${each}\n`).join("");
      const { command, resolve, reject } = waiting.shift() ?? {};
      if (kind === "end") resolve?.(output);
      else reject?.(new Error(`Cannot run tmux ${command}: ${output}`));
      frame = undefined;
    }
  }
  for (const { command, reject } of waiting.splice(0)) {
    reject(new Error(`Cannot run tmux ${command}: the server has ended`));
  }
}
