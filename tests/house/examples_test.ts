import { assert, assertEquals } from "@std/assert";
import { runDeno } from "../../tools/child.ts";
import * as verbs from "../../mod.ts";
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

function* examplesOf(value: unknown, isExample = false): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const isOne = isExample || ("kind" in value && value.kind === "example");
  for (const [key, one] of Object.entries(value)) {
    if (isOne && key === "doc" && typeof one === "string") yield one;
    else yield* examplesOf(one, isOne);
  }
}

Deno.test("examples import only what an entry point exports", async () => {
  const cwd = new URL("../../", import.meta.url).pathname;
  const { code, stdout } = await runDeno(["doc", "--json", "src/designs/mod.ts"], { cwd });
  assertEquals(code, 0);
  const documented = JSON.parse(stdout);
  const docs = [...examplesOf(documented)];
  assert(docs.length > 30, `${docs.length} examples`);
  const pages = ["docs", "skills"].flatMap((folder) => projectFiles(folder, ["md"]))
    .concat("README.md").flatMap((path) =>
      [...readProject(path).matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, body = ""]) => body)
    );
  const fromMod = [...Object.keys(verbs), ...typesOf(readProject("mod.ts"))];
  const exported = new Set([...namesIn(documented), ...fromMod]);
  const unknown = [...docs, ...pages].flatMap(importedIn).filter((name) => !exported.has(name));
  assertEquals(unknown, []);
});

function namesIn({ nodes }: { nodes: Record<string, { symbols: { name: string }[] }> }): string[] {
  return Object.values(nodes).flatMap(({ symbols }) => symbols.map(({ name }) => name));
}

function typesOf(source: string): string[] {
  return [...source.matchAll(/\btype (\w+)/g)].map(([, name = ""]) => name);
}
