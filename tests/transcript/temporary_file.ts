/**
 * Makes a temporary file, which is deleted when it is disposed of.
 *
 * @module
 */

export function temporaryFile(text: string): Disposable & { path: string } {
  const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
  Deno.writeTextFileSync(path, text);
  return { path, [Symbol.dispose]: () => Deno.removeSync(path) };
}
