// docs/background/designs.md maps the designs to commands, files and exports, all of which must
// exist.

import { assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import * as trimtab from "../../src/designs/mod.ts";
import { COMMANDS, HOOKS } from "../../scripts/trimtab.ts";
import { readProject, ROOT } from "./project.ts";
import { NAMES, type Types } from "./names.ts";
import "../own_config.ts";

const PAGE = "docs/background/designs.md";

const TYPES: Readonly<Record<keyof Types, true>> = {
  ContextConfig: true,
  UsageStats: true,
  ContextAction: true,
  MaskResult: true,
  ContextSnapshot: true,
  CompactedContext: true,
  FreshStartContext: true,
};

Deno.test("docs/background/designs.md names every fixed name of a design", () => {
  const fixed = Object.values(NAMES).flat();
  const shown = shownHere(readProject(PAGE));
  const missing = [...fixed, ...Object.keys(TYPES)].filter((name) =>
    !shown.some((one) => new RegExp(`^${name}\\b`).test(one))
  );
  assertEquals(missing, []);
});

Deno.test("docs/background/designs.md names only things that exist", () => {
  assertEquals(shownHere(readProject(PAGE)).filter((one) => !isThere(one)), []);
  const wrong =
    "`trimtab nope`, `trimtab trim --nope`, `trimtab hook nope`, `/nope`, `nope`, `a b`, " +
    "`.claude/nope`, `TokenMonitor.nope`, `truncateContent.nope`, `__proto__`";
  const shown = shownHere(
    `| there | here | in |\n| --- | --- | --- |\n| \`x\` | ${wrong} | \`y\` |`,
  );
  assertEquals([shown.length, shown.filter(isThere)], [10, []]);
});

function shownHere(page: string): string[] {
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  return rows.flatMap((row) => [...(row.split(" | ")[1] ?? "").matchAll(/`([^`]+)`/g)])
    .map(([, text = ""]) => text);
}

function isThere(entry: string): boolean {
  if (entry.startsWith("trimtab ")) return isCommand(entry.split(" ").slice(1));
  if (entry.startsWith("/")) {
    return existsSync(`${ROOT}/skills/${entry.slice(1).split(" ")[0]}/SKILL.md`);
  }
  const path = entry.replace(/^\.claude\//, "PROJECT/.claude/");
  if (/^(?:PROJECT|CONFIG)\//.test(path)) {
    return readProject("docs/reference/files.md").includes(path);
  }
  const [, name = "", member] = /^(\w+)(?:\.(\w+)|\(.*\)(?:\.\w+)*)?$/.exec(entry) ?? [];
  if (Object.hasOwn(DEFAULT_CONFIG.context, name)) return true;
  const exported: Readonly<Record<string, unknown>> = trimtab;
  const value = Object.hasOwn(exported, name) ? exported[name] : undefined;
  if (member === undefined) return value !== undefined || isType(name);
  return typeof value === "function" &&
    (Object.hasOwn(value, member) || Object.hasOwn(value.prototype ?? {}, member));
}

function isCommand([name = "", ...words]: readonly string[]): boolean {
  if (name === "hook") return Object.hasOwn(HOOKS, words.join(" "));
  const section = readProject("docs/reference/commands.md").split("\n## ")
    .find((one) => one.startsWith(`trimtab ${name}\n`));
  const options = words.filter((word) => word.startsWith("--"));
  return Object.hasOwn(COMMANDS, name) && options.every((option) => section?.includes(option));
}

function isType(name: string): boolean {
  const list = readProject("src/designs/mod.ts");
  return name !== "" && new RegExp(`\\btype ${name},?\\s`).test(list);
}
