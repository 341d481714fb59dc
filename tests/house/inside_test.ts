import { assert, assertEquals } from "@std/assert";
import { projectFiles, readProject } from "./project.ts";
import { buildInside, MODULE } from "../../tools/inside.ts";

Deno.test("hooks/_inside.js is up to date with `deno task inside`", async () => {
  const isCurrent = Deno.readTextFileSync(MODULE) === await buildInside();
  assert(isCurrent, "hooks/_inside.js is out of date: run `deno task inside`");
});

Deno.test("hooks/_inside.js uses only what the client's runtime provides", () => {
  const text = Deno.readTextFileSync(MODULE);
  assertEquals(text.match(/\bDeno\b|\bnode:|(?<!\.)\bprocess\.|\bBuffer\b|\bimport[ (]/g), null);
  // The client's TextDecoder supports only UTF-8, and throws for any other encoding.
  assertEquals(text.match(/^(?:var|const|let) .*new TextDecoder\("(?!utf-8)/gm), null);
});

/**
 * The client analyzes the module's syntax tree before each start, which takes time in proportion to
 * the nodes, not the bytes. The bound is just above the current number, so that growth is noticed.
 */
const MAX_NODES = 42_300;

Deno.test("hooks/_inside.js has few enough nodes for a fast start of the client", () => {
  let nodes = 0;
  const count = { create: () => ({ "*": () => void nodes++ }) };
  const plugin: Deno.lint.Plugin = { name: "count", rules: { nodes: count } };
  Deno.lint.runPlugin(plugin, "module.js", Deno.readTextFileSync(MODULE));
  assert(nodes > 10_000, `${nodes} nodes: the count failed`);
  assert(nodes <= MAX_NODES, `${nodes} nodes; move code that is rarely needed into a hook`);
});

Deno.test("src/core and src/inside use no API of Deno or Node, since they also run inside the client", () => {
  const files = [...projectFiles("src/core", ["ts"]), ...projectFiles("src/inside", ["ts"])];
  assert(files.length > 0);
  // Examples in comments may use Deno, since Deno runs them.
  const codeOf = (path: string): string => readProject(path).replaceAll(/\/\*\*[^]*?\*\//g, "");
  const wrong = files.filter((path) => /\bDeno\b|"node:|(?<!\.)\bprocess\./.test(codeOf(path)));
  assertEquals(wrong, []);
});

Deno.test("no function of the module destructures its `client` parameter, because Claude Code would not load the module", () => {
  const sources = ["src/inside", "hooks"].flatMap((folder) => projectFiles(folder, ["ts"]));
  const destructuring = /\}: Client\b|= (?:\w+\.)*client\b;$/m;
  assert(sources.length > 20);
  assertEquals(sources.filter((path) => destructuring.test(readProject(path))), []);
});

Deno.test("the module registers functions, because the client does not load a module that registers results of calls", () => {
  const registered = readProject("hooks/_inside.ts").matchAll(
    /\bon\(\s*"([\w.]+)",\s*(?:\{[^}]*\},\s*)?(\w+\()?/g,
  );
  const names = [...registered].map(([, event, call]) => call === undefined ? "" : event);
  assert(names.length > 10);
  assertEquals(names.filter((name) => name !== ""), []);
});
