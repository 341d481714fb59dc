/**
 * Runs a command in the process of its test, which is many times faster than a child process.
 *
 * @module
 */

import type { ChildResult } from "../../tools/child.ts";

interface Surroundings {
  /** Replaces only `Deno.cwd()`. Deno's file functions still use the process's own working folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Replaces the streams, the environment and the working folder that the command sees. */
export async function runInProcess(
  run: () => Promise<number>,
  { cwd, env, stdin = "" }: Surroundings,
): Promise<ChildResult> {
  const printed = { stdout: "", stderr: "" };
  const input = new TextEncoder().encode(stdin);
  let position = 0;
  using replaced = new DisposableStack();
  const replace = (target: object, name: string, value: unknown): void => {
    const before: unknown = Reflect.get(target, name);
    Reflect.set(target, name, value);
    replaced.defer(() => void Reflect.set(target, name, before));
  };
  replace(Deno, "cwd", () => cwd);
  replace(Deno.env, "get", (name: string) => env[name]);
  for (const name of ["stdout", "stderr"] as const) {
    replace(Deno[name], "isTerminal", () => false);
    replace(Deno[name], "writeSync", (bytes: Uint8Array) => {
      printed[name] += new TextDecoder().decode(bytes);
      return bytes.length;
    });
  }
  replace(Deno.stdin, "readSync", (into: Uint8Array) => {
    const part = input.subarray(position, position + into.length);
    into.set(part);
    position += part.length;
    return part.length === 0 ? null : part.length;
  });
  return { code: await run(), ...printed };
}
