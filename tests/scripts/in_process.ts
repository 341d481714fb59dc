/** Runs a command in the process of its test, which is many times faster than a child process. */

import type { ChildResult } from "../../tools/child.ts";

interface Surroundings {
  /** Replaces only `Deno.cwd()`. Deno's file functions still use the process's own working folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export async function runInProcess(
  run: () => Promise<number>,
  { cwd, env, stdin = "" }: Surroundings,
): Promise<ChildResult> {
  using _cwd = replaced(Deno, "cwd", () => cwd);
  using _env = replaced(Deno.env, "get", (name: string) => env[name]);
  return await runCaptured(run, stdin);
}

/**
 * Captures what `run` prints through `console` and `writeSync()`, and passes it `stdin` through `readSync()`.
 * A child process of `run` still has the real streams.
 */
export async function runCaptured(run: () => Promise<number>, stdin: string): Promise<ChildResult> {
  const printed = { stdout: "", stderr: "" };
  let input = new TextEncoder().encode(stdin);
  using replacements = new DisposableStack();
  const replace = (target: object, name: string, value: unknown): void => {
    replacements.use(replaced(target, name, value));
  };
  for (const [name, log] of [["stdout", "log"], ["stderr", "error"]] as const) {
    replace(Deno[name], "isTerminal", () => false);
    replace(Deno[name], "writeSync", (bytes: Uint8Array) => {
      printed[name] += new TextDecoder().decode(bytes);
      return bytes.length;
    });
    replace(console, log, (...words: unknown[]) => printed[name] += words.join(" "));
  }
  replace(Deno.stdin, "readSync", (into: Uint8Array) => {
    const part = input.subarray(0, into.length);
    into.set(part);
    input = input.subarray(part.length);
    return part.length === 0 ? null : part.length;
  });
  return { code: await run(), ...printed };
}

/** Replaces a property until the result is disposed of. */
export function replaced(target: object, name: string, value: unknown): Disposable {
  const before: unknown = Reflect.get(target, name);
  Reflect.set(target, name, value);
  return { [Symbol.dispose]: () => void Reflect.set(target, name, before) };
}
