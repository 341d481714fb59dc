import { assert, assertEquals } from "@std/assert";
import {
  type Graph,
  hiddenCosts,
  importCycles,
  loadedModules,
  loadGraph,
  modulesOutsideRooms,
  upwardImports,
} from "../../tools/graph.ts";
import { ROOT } from "./project.ts";
import { writeFile } from "../folder.ts";

/**
 * Dynamic imports of modules that a hook must not load at its start. Each is loaded only when its
 * branch is taken, and needs a reason.
 */
const ALLOWED_ON_DEMAND: readonly { from: string; to: string; reason: string }[] = [
  {
    from: "src/events/known_freed.ts",
    to: "src/trim/freed.ts",
    reason:
      "estimates what a trim would free, only at raised levels and once the context has grown by a tenth",
  },
];

const FOREIGN = /^(?:npm|jsr|https?|node|data|blob):/;

function hookProblems(graph: Graph, hook: string, root: string): string[] {
  const loaded = loadedModules(graph, hook, ALLOWED_ON_DEMAND);
  const foreign = loaded.filter((path) => FOREIGN.test(path)).map((path) => `loads ${path}`);
  const hidden = loaded.filter((path) => !FOREIGN.test(path)).flatMap((path) =>
    hiddenCosts(Deno.readTextFileSync(`${root}/${path}`)).map((cost) => `${path} has ${cost}`)
  );
  return [...foreign, ...hidden].map((problem) => `${hook}: ${problem}`);
}

function plant(files: Record<string, string>): string {
  const folder = Deno.realPathSync(Deno.makeTempDirSync());
  for (const [path, text] of Object.entries({ "deno.json": "{}", ...files })) {
    writeFile(`${folder}/${path}`, text);
  }
  return folder;
}

Deno.test("src/, hooks/ and scripts/ import only from lower layers", async () => {
  const graph = await loadGraph(ROOT);
  assert(graph.modules.some((path) => path.startsWith("src/")));
  assertEquals(upwardImports(graph), []);
  assertEquals(modulesOutsideRooms(graph), []);
});

Deno.test("hooks/ load nothing from npm, jsr, the net or Node, and no module that uses process, Buffer or computed imports", async () => {
  const graph = await loadGraph(ROOT);
  const hooks = graph.modules.filter((path) => path.startsWith("hooks/"));
  assert(hooks.length > 0, "there are no hooks yet");
  assertEquals(hooks.flatMap((hook) => hookProblems(graph, hook, ROOT)), []);
});

Deno.test("the most frequent hooks load at most 30 modules, and load the configuration reader, the advice and state updates only on demand", async () => {
  const { imports } = await loadGraph(ROOT);
  const isLoaded = imports.filter(({ dynamic, typeOnly }) => !dynamic && !typeOnly);
  for (const name of ["user_prompt_submit", "post_tool_batch", "stop", "session_start"]) {
    const loaded = new Set([`hooks/${name}.ts`]);
    for (const path of loaded) {
      for (const { from, to } of isLoaded) if (from === path) loaded.add(to);
    }
    const late = ["src/config/load.ts", "src/gauge/advice.ts", "src/store/state_update.ts"];
    assertEquals(late.filter((path) => loaded.has(path)), [], name);
    // An empty script takes 15 ms, and each module adds a seventh of a millisecond, so 30 modules add less
    // than a third.
    assert(loaded.size <= 30, `${name} loads ${loaded.size} modules`);
  }
});

Deno.test("the allowed dynamic imports of hooks all exist", async () => {
  const { imports } = await loadGraph(ROOT);
  const gone = ALLOWED_ON_DEMAND.filter(({ from, to }) =>
    !imports.some((one) => one.dynamic && one.from === from && one.to === to)
  );
  assertEquals(gone, []);
});

Deno.test("no modules import each other in a cycle", async () => {
  assertEquals(importCycles(await loadGraph(ROOT)), []);
});

Deno.test("loadGraph() finds code, types and dynamic imports of a test project", async () => {
  const root = plant({
    "hooks/start.ts": `import "../src/store/a.ts"; import type { T } from "../src/trim/t.ts";
      export const later = () => import("../src/trim/late.ts"); export type U = T;`,
    "src/store/a.ts": `import "../trim/up.ts";`,
    "src/trim/up.ts": `export const up = 1;`,
    "src/trim/t.ts": `import "node:path"; export type T = 1;`,
    "src/trim/late.ts": `import { Buffer } from "node:buffer"; export { Buffer };`,
  });
  try {
    const graph = await loadGraph(root);
    const upward = "src/store/a.ts imports src/trim/up.ts, which is in a higher layer";
    assertEquals(upwardImports(graph), [upward]);
    const problems = hookProblems(graph, "hooks/start.ts", root);
    assertEquals(problems, ["hooks/start.ts: loads node:buffer"]);
    const except = [{ from: "hooks/start.ts", to: "src/trim/late.ts" }];
    const loaded = loadedModules(graph, "hooks/start.ts", except);
    assertEquals(loaded, ["hooks/start.ts", "src/store/a.ts", "src/trim/up.ts"]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
