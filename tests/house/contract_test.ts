import { assert, assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { FACTS } from "../contract/facts.ts";
import { parseJunit } from "../contract/holding_tests.ts";
import { recordInto } from "../contract/recorder.ts";
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

Deno.test("each fact has a unique id, and is a sentence", () => {
  assertEquals(new Set(FACTS.map(({ id }) => id)).size, FACTS.length);
  assertEquals(FACTS.filter(({ fact }) => !/^\S.*\.$/.test(fact)).map(({ id }) => id), []);
});

Deno.test("each fact names files of the project that rely on it", () => {
  const missing = FACTS.flatMap(({ id, usedBy }) =>
    usedBy.filter((path) => !existsSync(`${ROOT}/${path}`)).map((path) => `${id}: ${path}`)
  );
  assertEquals(missing, []);
  assertEquals(FACTS.filter(({ usedBy }) => usedBy.length === 0), []);
});

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

Deno.test("recordInto() reports the observation that breaks a fact, and continues", () => {
  const findings: Parameters<typeof recordInto>[0] = [];
  const record = recordInto(findings);
  record.check("prompt-id", () => assertEquals(1, 2));
  record.check("tool-batch", () => {});
  record.check("context-limit", () => {
    throw new Error("x".repeat(2_000));
  });
  assertEquals(findings.map(({ id }) => id), ["prompt-id", "tool-batch", "context-limit"]);
  assertEquals(findings[0]?.broken?.split("\n")[0], "Values are not equal.");
  assertEquals([findings[1]?.broken, findings[2]?.broken?.length], [null, 601]);
});

Deno.test("parseJunit() reads passed and skipped tests, and the messages of failures", () => {
  const text = `<testsuites><testsuite>
<testcase name="a &gt; b" classname="c" time="1">
</testcase>
<testcase name="it&apos;s" classname="c"><failure message="m">seen: &quot;1&quot;</failure></testcase>
<testcase name="c" classname="c"><skipped/></testcase>
</testsuite></testsuites>`;
  assertEquals([...parseJunit(text)], [["a > b", null], ["it's", 'seen: "1"'], ["c", undefined]]);
});
