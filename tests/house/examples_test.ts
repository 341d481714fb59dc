import { assert, assertEquals } from "@std/assert";
import { runDeno } from "../../tools/child.ts";
import * as verbs from "../../mod.ts";
import * as trimtab from "../../src/designs/mod.ts";
import { projectFiles, readProject } from "./project.ts";

const IMPORT = /import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)"/g;

function importedIn(text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, names = "", from = ""]) =>
    from.startsWith("@std/")
      ? []
      : names.split(",").map((one) => one.trim().replace(/^type /, "").replace(/ as .*/, ""))
        .filter((one) => one !== "")
  );
}

/** Yields every example from the JSON of `deno doc --json`. */
function* examplesOf(value: unknown, isExample = false): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const isOne = isExample || ("kind" in value && value.kind === "example");
  for (const [key, one] of Object.entries(value)) {
    if (isOne && key === "doc" && typeof one === "string") yield one;
    else yield* examplesOf(one, isOne);
  }
}

Deno.test("examples import only what an entry point exports", async () => {
  const { code, stdout } = await runDeno(["doc", "--json", "src/designs/mod.ts"], {
    cwd: new URL("../../", import.meta.url).pathname,
  });
  assertEquals(code, 0);
  const docs = [...examplesOf(JSON.parse(stdout))];
  assert(docs.length > 30, `${docs.length} examples`);
  const pages = ["docs", "skills"].flatMap((folder) => projectFiles(folder, ["md"]))
    .concat("README.md").flatMap((path) =>
      [...readProject(path).matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, body = ""]) => body)
    );
  const exported = new Set([
    ...Object.keys(trimtab),
    ...Object.keys(verbs),
    ...typesOf(readProject("src/designs/mod.ts") + readProject("mod.ts")),
  ]);
  const unknown = [...docs, ...pages].flatMap(importedIn).filter((name) => !exported.has(name));
  assertEquals(unknown, []);
});

function typesOf(source: string): string[] {
  return [...source.matchAll(/\btype (\w+)/g)].map(([, name = ""]) => name);
}
