/** Reads the module graph of the project, and checks its rules. */

import { existsSync, walkSync } from "@std/fs";
import { runDeno } from "./child.ts";

/** Lowest room first. A room imports only from itself and from earlier rooms. */
export const ROOMS = [
  "core",
  "store",
  "config",
  "secrets",
  "transcript",
  "inject",
  "gauge",
  "trim",
  "decisions",
  "changes",
  "commands",
  "extract",
  "layout",
  "saved",
  "watch",
  "plan",
  "live",
  "events",
  "inside",
  "report",
  "doctor",
  "verbs",
  "designs",
] as const;

/** `to` is a path below the root, or a specifier outside of the project. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
}

export interface Graph {
  readonly modules: readonly string[];
  readonly imports: readonly Import[];
}

interface InfoModule {
  readonly specifier: string;
  readonly error?: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier?: string; readonly error?: string };
    readonly type?: { readonly specifier?: string; readonly error?: string };
  }[];
}

/**
 * Reads the graph of `mod.ts`, `src/`, `cli/`, `scripts/` and `hooks/` below a folder.
 *
 * Permissions: `--allow-run` for Deno, `--allow-read` for the folder, `--allow-write` for the
 * temporary folder.
 *
 * @param root The folder; its deno.json maps the bare names.
 * @returns Modules and imports, with paths relative to the folder.
 * @throws {Error} When a module cannot be resolved.
 */
export async function loadGraph(root: string): Promise<Graph> {
  const base = folderUrl(Deno.realPathSync(root));
  const entries = ["mod.ts", "src", "cli", "scripts", "hooks"].flatMap((name) =>
    modulesAt(root, name)
  );
  const folder = Deno.makeTempDirSync();
  try {
    // Imports all modules, so that a single run of Deno reads them all.
    const all = `${folder}/all.ts`;
    const lines = entries.map((path) => `import ${JSON.stringify(new URL(path, base).href)};`);
    Deno.writeTextFileSync(all, lines.join("\n"));
    const config = `${root}/deno.json`;
    const { code, stdout, stderr } = await runDeno(["info", "--json", "--config", config, all]);
    if (code !== 0) throw new Error(`Cannot read module graph: ${stderr}`);
    const modules: readonly InfoModule[] = JSON.parse(stdout).modules;
    const projectModules = modules.filter((module) => module.specifier.startsWith(base.href));
    const path = (specifier: string) =>
      specifier.startsWith(base.href) ? decodeURI(specifier.slice(base.href.length)) : specifier;
    return {
      modules: projectModules.map((module) => path(module.specifier)),
      imports: projectModules.flatMap((module) => importsOf(module, path)),
    };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function folderUrl(path: string): URL {
  const encoded = encodeURI(path.replaceAll("\\", "/")).replace(/[?#]/g, encodeURIComponent);
  return new URL(`file://${encoded.startsWith("/") ? "" : "/"}${encoded}/`);
}

function modulesAt(root: string, name: string): string[] {
  const path = `${root}/${name}`;
  if (existsSync(path, { isFile: true })) return [name];
  if (!existsSync(path)) return [];
  return Array.from(
    walkSync(path, { includeDirs: false, exts: ["ts"] }),
    (entry) => entry.path.slice(root.length + 1).replaceAll("\\", "/"),
  );
}

function importsOf(module: InfoModule, path: (specifier: string) => string): Import[] {
  if (module.error !== undefined) throw new Error(`Cannot read module graph: ${module.error}`);
  const imports: Import[] = [];
  for (const dependency of module.dependencies ?? []) {
    const { code, type } = dependency;
    const problem = code?.error ?? type?.error;
    if (problem !== undefined) throw new Error(`Cannot read module graph: ${problem}`);
    const target = code?.specifier ?? type?.specifier;
    imports.push({
      from: path(module.specifier),
      to: path(target ?? dependency.specifier),
      typeOnly: code === undefined,
      dynamic: dependency.isDynamic ?? false,
    });
  }
  return imports;
}

/**
 * Finds imports that violate the layers: from a room to a later room, from the library to an entry point,
 * from `cli/` to a hook or a script, or from a hook to a script.
 *
 * @returns One sentence for each such import.
 */
export function upwardImports(graph: Graph): string[] {
  return graph.imports.filter((edge) => rankOf(edge.to) > maxRankOf(edge.from))
    .map(({ from, to }) => `${from} imports ${to}, which is in a higher layer`);
}

export function importCycles({ modules, imports }: Graph): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to, dynamic } of imports) {
    if (!dynamic) targets.set(from, [...targets.get(from) ?? [], to]);
  }
  const reachableFrom = (from: string): Set<string> => {
    const seen = new Set(targets.get(from));
    // Iterating a set also visits items that are added during the loop.
    for (const module of seen) for (const to of targets.get(module) ?? []) seen.add(to);
    return seen;
  };
  const all = new Map(modules.map((module) => [module, reachableFrom(module)]));
  const cycles = modules.filter((module) => all.get(module)?.has(module))
    .map((module) =>
      modules.filter((other) => all.get(module)?.has(other) && all.get(other)?.has(module)).sort()
    );
  return [...new Map(cycles.map((cycle) => [cycle.join(), cycle])).values()];
}

export function modulesOutsideRooms(graph: Graph): string[] {
  return graph.modules.filter((path) => Number.isNaN(rankOf(path)));
}

/**
 * Returns all modules that one module loads or can load when it runs, as paths and specifiers, the
 * entry first.
 *
 * @param except Dynamic imports that are not followed.
 */
export function loadedModules(
  graph: Graph,
  entry: string,
  except: readonly { readonly from: string; readonly to: string }[] = [],
): string[] {
  const loaded = new Set([entry]);
  // Iterating a set also visits items that are added during the loop.
  for (const from of loaded) {
    for (const edge of graph.imports) {
      if (edge.from !== from || edge.typeOnly) continue;
      if (edge.dynamic && except.some((e) => e.from === edge.from && e.to === edge.to)) continue;
      loaded.add(edge.to);
    }
  }
  return [...loaded];
}

/** Finds load-time costs that the graph does not show: `process`, `Buffer`, and computed imports. */
export function hiddenCosts(text: string): string[] {
  const code = text.split("\n").filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).join("\n");
  const costs: string[] = [];
  if (/(?<!\.)\bprocess\s*(?:\?\.|\.|\[)|globalThis\s*(?:\.|\[")process\b/.test(code)) {
    costs.push("process");
  }
  if (/\bBuffer\s*\./.test(code)) costs.push("Buffer");
  if (/\bimport\s*\((?!\s*["'`][^"'`$]*["'`]\s*[,)])/.test(code)) costs.push("computed import");
  return costs;
}

/** Returns the position of a module's room in the import order; NaN outside of all rooms. */
function rankOf(path: string): number {
  // Packages, and the project's facades of packages, are the lowest layer.
  if (!/^(?:src|cli|scripts|hooks)\/|^mod\.ts$/.test(path)) return -2;
  if (path === "src/version.ts") return -1;
  if (path === "mod.ts") return 100;
  if (path.startsWith("cli/")) return 101;
  if (path.startsWith("hooks/")) return 102;
  if (path.startsWith("scripts/")) return 103;
  const room = /^src\/([^/]+?)(?:\.ts$|\/)/.exec(path)?.[1];
  const rank = ROOMS.findIndex((name) => name === room);
  return rank < 0 ? NaN : rank;
}

function maxRankOf(path: string): number {
  const rank = rankOf(path);
  return Number.isNaN(rank) ? -2 : rank;
}
