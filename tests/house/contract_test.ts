import { assert, assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { FACTS } from "../contract/facts.ts";
import { projectFiles, readProject, ROOT } from "./project.ts";

const PROBES = new Map(
  projectFiles("tests/contract", ["ts"]).filter((path) => path.endsWith("_probe.ts"))
    .map((path) => [path.replace(/^.*\/|_probe\.ts$/g, ""), readProject(path)]),
);

function checksIn(text: string): string[] {
  return [...text.matchAll(/record\.check\(\s*"([\w-]+)"/g)].map(([, id = ""]) => id);
}

function isNamedIn(text: string, name: string): boolean {
  return ['"', "`"].some((quote) => text.includes(quote + name + quote));
}

Deno.test("each fact is checked by an existing test, or by a probe", () => {
  const wrong = FACTS.filter(({ id, heldBy }) =>
    "file" in heldBy
      ? !existsSync(`${ROOT}/${heldBy.file}`) || !isNamedIn(readProject(heldBy.file), heldBy.test)
      : !checksIn(PROBES.get(heldBy.probe) ?? "").includes(id)
  );
  assertEquals(wrong.map(({ id }) => id), []);
});

Deno.test("each probe is run, and checks no fact that is checked elsewhere", () => {
  const run = readProject("tests/contract/run.ts");
  for (const [name, text] of PROBES) {
    assert(run.includes(`${name}: probe`), name);
    const probed = FACTS.filter(({ heldBy }) => !("file" in heldBy)).map(({ id }) => id);
    const others = checksIn(text).filter((id) => !probed.some((one) => one === id));
    assertEquals(others, [], name);
  }
});
