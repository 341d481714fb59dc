/**
 * Observes the behaviour of Deno that the launcher and the hooks rely on.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { cleanEnv, runChild } from "../../tools/child.ts";
import type { Recorder } from "./recorder.ts";

export async function probeDeno(record: Recorder): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-contract-" }));
  try {
    for (const name of ["plugin", "elsewhere"]) Deno.mkdirSync(`${folder}/${name}`);
    const imports = { "bare": "./module.ts" };
    Deno.writeTextFileSync(`${folder}/plugin/deno.json`, JSON.stringify({ imports }));
    Deno.writeTextFileSync(`${folder}/plugin/module.ts`, 'export const said = "found";\n');
    const script = `import { said } from "bare";
const piped = Deno.stdin.readSync(new Uint8Array(9));
let denied = false;
try {
  Deno.readTextFileSync("/etc/hostname");
} catch (error) {
  denied = error instanceof Deno.errors.NotCapable;
}
console.log(said, piped, denied);
`;
    Deno.writeTextFileSync(`${folder}/plugin/script.ts`, script);
    const { stdout, stderr } = await runChild(
      Deno.execPath(),
      ["run", "--quiet", "--no-prompt", `${folder}/plugin/script.ts`],
      {
        cwd: `${folder}/elsewhere`,
        clearEnv: true,
        env: cleanEnv({ HOME: folder }),
        stdin: "hello",
      },
    );
    const [output, piped, denied] = stdout.trim().split(" ");
    record.check("deno-config-of-script", () => assertEquals([output, stderr], ["found", ""]));
    record.check("deno-sync-stdin", () => assertEquals(piped, "5"));
    record.check("deno-denies-without-asking", () => assertEquals(denied, "true"));
    const later = `const { said } = await import("./module.ts");\nconsole.log(said);\n`;
    Deno.writeTextFileSync(`${folder}/plugin/later.ts`, later);
    const outputLater = [
      await importLater(folder, { isLazy: false, flags: [] }),
      await importLater(folder, { isLazy: true, flags: [] }),
      await importLater(folder, { isLazy: true, flags: [`--allow-read=${folder}`] }),
    ];
    record.check("deno-lazy-imports", () => assertEquals(outputLater, ["found\n", "", "found\n"]));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Runs a script that imports another file at run time, with or without the launcher's flags. */
async function importLater(
  folder: string,
  how: { readonly isLazy: boolean; readonly flags: readonly string[] },
): Promise<string> {
  const lazy = how.isLazy ? { DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS: "1" } : {};
  const { stdout } = await runChild(
    Deno.execPath(),
    ["run", "--quiet", "--no-prompt", ...how.flags, `${folder}/plugin/later.ts`],
    { cwd: folder, clearEnv: true, env: cleanEnv({ HOME: folder, ...lazy }) },
  );
  return stdout;
}
