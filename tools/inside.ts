/**
 * Bundles `hooks/_inside.ts` and its imports as the one JavaScript file that the client loads. If the module
 * were TypeScript, the client's validator would compile every file of the plugin.
 */

import { runDeno } from "./child.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);

export const MODULE = `${ROOT}hooks/_inside.js`;

const HEAD = "// Generated from hooks/_inside.ts by `deno task inside`: do not edit.\n";

export async function buildInside(): Promise<string> {
  const folder = Deno.makeTempDirSync({ prefix: "trimtab-inside-" });
  try {
    const output = `${folder}/inside.js`;
    const { code, stderr } = await runDeno([
      "bundle",
      "--quiet",
      "--platform",
      "browser",
      "--output",
      output,
      `${ROOT}hooks/_inside.ts`,
    ]);
    if (code !== 0) throw new Error(`Cannot bundle the module: ${stderr}`);
    return HEAD + reduceNodes(Deno.readTextFileSync(output));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/**
 * Replaces `void 0` with `undefined`, which is one syntax node instead of two, and drops unused numeric
 * constants, which the bundler keeps because they are computed.
 */
function reduceNodes(text: string): string {
  const words = Map.groupBy(text.match(/\w+/g) ?? [], (word) => word);
  return text.replaceAll("void 0", "undefined").replaceAll(
    /^var (\w+) = [\d* e]+;\n/gm,
    (line, name: string) => words.get(name)?.length === 1 ? "" : line,
  );
}

if (import.meta.main) Deno.writeTextFileSync(MODULE, await buildInside());
