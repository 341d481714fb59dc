import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { stringify } from "@std/toml";
import fc from "fast-check";
import { loadContextConfig } from "../../src/config/load.ts";
import { ConfigError } from "../../src/config/problem.ts";
import { CONFIG_SPECS, DEFAULT_CONFIG, type KeySpec } from "../../src/config/schema.ts";
import { findConfigDir, findProjectDir } from "../../src/store/paths.ts";
import { writeTrusted } from "../trusted.ts";
import { newFolder } from "../folder.ts";
import { inProject, type Project } from "./project.ts";
import { runsOf } from "../full.ts";
import { anyCharacters } from "../any_characters.ts";

const RUNS = {
  numRuns: runsOf(150, 60, "configurations that are written as TOML"),
  seed: 20260307,
};

function problemsOf(project: Project): string[] {
  const error = assertThrows(() => loadContextConfig(project), ConfigError);
  return error.problems.map((problem) => {
    const text = [problem.file, problem.key, problem.value, problem.expected].join(" | ");
    return text.replaceAll(project.projectDir, "P").replaceAll(project.configDir, "C");
  });
}

function problemsWith(toml: string): string[] {
  let found: string[] = [];
  inProject((project) => {
    Deno.writeTextFileSync(project.project, toml);
    found = problemsOf(project).map((text) => text.replace("P/.claude/trimtab.toml | ", ""));
  });
  return found;
}

type ContextTable = Partial<typeof DEFAULT_CONFIG.context>;

function thresholds(
  warn_threshold = 0,
  recommend_threshold = 0,
  urgent_threshold = 0,
): ContextTable {
  return { warn_threshold, recommend_threshold, urgent_threshold };
}

Deno.test("loadContextConfig() returns the defaults when there are no files", () =>
  inProject((project) => {
    const { context, live, inside, sources } = loadContextConfig(project);
    assertEquals({ context, live, inside }, DEFAULT_CONFIG);
    const { length } = [context, live, inside].flatMap(Object.keys);
    const expected = Array(length).fill({ layer: "default", from: "default" });
    assertEquals(Object.values(sources).flatMap(Object.values), expected);
  }));

Deno.test("loadContextConfig() finds the folders that the caller omits", () => {
  const projectDir = findProjectDir({ cwd: Deno.cwd() });
  assertEquals(loadContextConfig(), loadContextConfig({ projectDir, configDir: findConfigDir() }));
  // Passing `undefined` as a folder differs from omitting the folder.
  inProject(({ projectDir, configDir, user }) => {
    Deno.writeTextFileSync(user, "[context]\nwarn_threshold = 10\n");
    assertEquals(loadContextConfig({ projectDir, configDir }).context.warn_threshold, 10);
    const none = loadContextConfig({ projectDir, configDir: undefined });
    assertEquals(none.context.warn_threshold, 60);
  });
});

Deno.test("loadContextConfig() uses the value of the last layer for each key, and reports that layer", () =>
  inProject((project) => {
    const { user, work } = project;
    const write = (path: string, context: ContextTable, live = {}): void =>
      Deno.writeTextFileSync(path, stringify({ context, live }));
    const userLive = { enabled: true, max_chars: 1000 };
    write(user, { ...thresholds(10, 11, 12), trim_keep_recent: 13 }, userLive);
    Deno.writeTextFileSync(
      work,
      "[context]\nrecommend_threshold = 21\nurgent_threshold = 22\ntrim_keep_recent = 23\n",
    );
    write(project.project, { urgent_threshold: 32, trim_keep_recent: 33 }, { max_chars: 3000 });
    const { context, live, sources } = loadContextConfig(project);
    const set = { ...thresholds(10, 21, 32), trim_keep_recent: 33 };
    assertEquals(context, { ...DEFAULT_CONFIG.context, ...set });
    assertEquals(live, { ...DEFAULT_CONFIG.live, enabled: true, max_chars: 3000 });
    assertEquals(sources.context.warn_threshold, { layer: "user", from: user });
    assertEquals(sources.context.recommend_threshold, { layer: "work", from: work });
    assertEquals(sources.context.urgent_threshold, { layer: "project", from: project.project });
    assertEquals(sources.context.retention_days, { layer: "default", from: "default" });
    assertEquals([sources.live.enabled.layer, sources.live.max_chars.layer], ["user", "project"]);
  }));

Deno.test("loadContextConfig() reads the [context] table in another tool's file", () =>
  inProject((project) => {
    Deno.writeTextFileSync(
      project.work,
      'worker_guidelines = "test"\n[context]\nwarn_threshold = 50\n' +
        "recommend_threshold = 70\nurgent_threshold = 80\ntrim_threshold_chars = 300\n" +
        "[live]\nnonsense = true\n[[anything]]\nelse = { at = 2026-11-22 }\n",
    );
    const { context, live } = loadContextConfig(project);
    const set = { ...thresholds(50, 70, 80), trim_threshold_chars: 300 };
    assertEquals(context, { ...DEFAULT_CONFIG.context, ...set });
    assertEquals(live, DEFAULT_CONFIG.live);
    Deno.writeTextFileSync(
      project.work,
      "\ufeffcontext.warn_threshold = 51\nother = { a = 1 }\ncontext.trim_keep_recent = 7\n" +
        "[other.table]\ncontext.warn_threshold = 52\n",
    );
    const dotted = loadContextConfig(project).context;
    assertEquals([dotted.warn_threshold, dotted.trim_keep_recent], [51, 7]);
  }));

Deno.test("loadContextConfig() reads lists that span several lines, and ignores tables inside another tool's strings", () =>
  inProject((project) => {
    const contextOf = (text: string): unknown => {
      Deno.writeTextFileSync(project.work, text);
      const { warn_threshold: warn, trim_target_tools: tools } = loadContextConfig(project).context;
      return [warn, tools];
    };
    const { warn_threshold: warn, trim_target_tools: tools } = DEFAULT_CONFIG.context;
    const list = '[ # a comment with ] and "\n  "Read",\n  "a]",\n]\n';
    const expected = [51, ["Read", "a]"]];
    const dotted =
      `context.trim_target_tools = ${list}context.warn_threshold = 51\n[other]\nx = 1\n`;
    assertEquals(contextOf(dotted), expected);
    assertEquals(contextOf(`rows = [\n  [1, 2],\n  [3],\n]\n${dotted}`), expected);
    const inTable = `[other]\nx = ${list}[context]\n${dotted.replaceAll("context.", "")}`;
    assertEquals(contextOf(inTable), expected);
    for (const quotes of ['"""', "'''"]) {
      const string = `${quotes}\n[context]\nwarn_threshold = 1\nit's "x"\n${quotes}`;
      assertEquals(contextOf(`[other]\nx = ${string}\n`), [warn, tools]);
      assertEquals(contextOf(`x = ${string}\n${dotted}`), expected);
    }
  }));

Deno.test("loadContextConfig() ignores another tool's invalid TOML without a [context] table", () =>
  inProject((project) => {
    Deno.writeTextFileSync(project.work, "this is = = not TOML");
    assertEquals(loadContextConfig(project).context, DEFAULT_CONFIG.context);
    Deno.writeTextFileSync(project.work, "this is = = not TOML\n[context]\nwarn_threshold =\n");
    assertMatch(problemsOf(project).join(), /TOML \(line 3: /);
  }));

Deno.test("loadContextConfig() checks [context] in another tool's file as strictly as in trimtab's own", () =>
  inProject((project) => {
    Deno.writeTextFileSync(project.work, "[context]\nwarn_treshold = 50\nretention_days = 0\n");
    assertEquals(problemsOf(project), [
      "P/.work.toml | context.warn_treshold | 50 | a known key; did you mean warn_threshold?",
      "P/.work.toml | context.retention_days | 0 | a whole number from 1 to 36500",
    ]);
  }));

Deno.test("loadContextConfig() reports the file, the key, the value and what is expected for each wrong value", () => {
  const percent = "a whole number from 0 to 100";
  const sources = '"startup", "resume", "clear", "compact", "fork"';
  const contextRows = [
    ["warn_threshold = 101", `warn_threshold | 101 | ${percent}`],
    ['warn_threshold = ["60"]', `warn_threshold | ["60"] | ${percent}`],
    ["window_tokens = 200", "window_tokens | 200 | a whole number from 1000 to 100000000"],
    ["trim_target_tools = 1", "trim_target_tools | 1 | a list of at most 200 names of tools"],
    ['restore_on = ["boot"]', `restore_on | ["boot"] | a list of values from ${sources}`],
  ].map(([toml, expected]) => [`[context]\n${toml}`, `context.${expected}`] as const);
  const rows = [
    ...contextRows,
    ['[live]\nenabled = "yes"', 'live.enabled | "yes" | true or false'],
    ["[live]\nmax_char = 1", "live.max_char | 1 | a known key; did you mean max_chars?"],
    ["context = 3", "context | 3 | a table, [context]"],
    ["[[context]]\nx = 1", " |  | TOML (line 1: expected a table, in single brackets)"],
    ["[contxt]\nwarn_threshold = 1", "contxt |  | a known table; did you mean context?"],
    ["[colours]\nred = 1", "colours |  | one of the known tables: context, live, inside"],
    ["warn_threshold = 1", "warn_threshold | 1 | this key in the table [context]"],
    ["enabled = true", "enabled | true | this key in the table [live]"],
    [
      "[context]\nwarn_threshold = 80\nrecommend_threshold = 70",
      "context.recommend_threshold | 70 | at least context.warn_threshold, which is 80 (P/.claude/trimtab.toml)",
    ],
    ...[78, 79].map((chars) => {
      const value = `"${"x".repeat(chars)}"`;
      const shown = chars === 78 ? value : `"${"x".repeat(78)}…`;
      return [
        `[context]\nwarn_threshold = ${value}`,
        `context.warn_threshold | ${shown} | ${percent}`,
      ] as const;
    }),
    ["[context.warn_threshold]\nat = 1", null],
  ] as const;
  for (const [toml, expected] of rows) {
    const found = problemsWith(toml);
    assertEquals(found.length, 1, toml);
    if (expected !== null) assertEquals(found[0], expected);
  }
});

Deno.test("loadContextConfig() accepts equal thresholds and the limits of their range, and refuses a wrong order", () =>
  inProject((project) => {
    const set = (...values: number[]): unknown => {
      Deno.writeTextFileSync(project.project, stringify({ context: thresholds(...values) }));
      const { context } = loadContextConfig(project);
      return [context.warn_threshold, context.recommend_threshold, context.urgent_threshold];
    };
    for (const row of [[0, 0, 0], [100, 100, 100], [0, 50, 100], [74, 75, 76]]) {
      assertEquals(set(...row), row);
    }
    assertThrows(() => set(76, 75, 77), ConfigError);
    assertThrows(() => set(74, 76, 75), ConfigError);
  }));

Deno.test("loadContextConfig() reports both thresholds that are out of order, but never a default as wrong", () =>
  inProject((project) => {
    const rows = [
      ["warn_threshold = 74", "recommend_threshold = 70", "P/.claude/trimtab.toml"],
      ["urgent_threshold = 74", "recommend_threshold = 75", "P/.claude/trimtab.toml"],
      ["warn_threshold = 76", "", "C/trimtab.toml"],
      ["urgent_threshold = 74", "", "C/trimtab.toml"],
    ] as const;
    const expected = [
      "context.recommend_threshold | 70 | " +
      "at least context.warn_threshold, which is 74 (C/trimtab.toml)",
      "context.recommend_threshold | 75 | " +
      "at most context.urgent_threshold, which is 74 (C/trimtab.toml)",
      "context.warn_threshold | 76 | at most context.recommend_threshold, which is 75 (default)",
      "context.urgent_threshold | 74 | at least context.recommend_threshold, which is 75 (default)",
    ];
    for (const [index, [user, own, file]] of rows.entries()) {
      Deno.writeTextFileSync(project.user, `[context]\n${user}\n`);
      Deno.writeTextFileSync(project.project, `[context]\n${own}\n`);
      assertEquals(problemsOf(project), [`${file} | ${expected[index]}`]);
    }
  }));

Deno.test("loadContextConfig() collects the problems of all files, and writes a single one on one line", () =>
  inProject((project) => {
    Deno.writeTextFileSync(project.user, "[context]\nwarn_threshold = 999\n");
    Deno.writeTextFileSync(project.work, "[context]\nfoo = 1\n");
    Deno.writeTextFileSync(project.project, "not toml");
    const found = problemsOf(project);
    const files = ["C/trimtab.toml", "P/.work.toml", "P/.claude/trimtab.toml"];
    assertEquals(found.map((text) => text.split(" | ")[0]), files);
    const messageOf = (): string =>
      assertThrows(() => loadContextConfig(project), ConfigError).message;
    assertMatch(messageOf(), /^Cannot use the configuration: 3 problems(?:\n {2}\S.*){3}$/);
    for (const path of [project.user, project.project]) Deno.removeSync(path);
    const problem = "context.foo = 1: expected one of the known keys: ";
    assertStringIncludes(messageOf(), `Cannot use the configuration: ${project.work}: ${problem}`);
  }));

Deno.test("loadContextConfig() shortens a long value in its message", () => {
  const [found] = problemsWith(`[context]\nwarn_threshold = "${"😀".repeat(5000)}"`);
  assert(found !== undefined && found.length < 300, found);
  assert(found.isWellFormed() && found.includes("…"), found);
});

Deno.test("loadContextConfig() refuses invalid UTF-8, files that are too large, and folders", () =>
  inProject((project) => {
    Deno.writeFileSync(project.user, new Uint8Array([0x61, 0xff, 0xfe]));
    Deno.mkdirSync(project.work);
    Deno.writeTextFileSync(project.project, "#".repeat(1_000_001));
    const expected = /^\S+[ |]+a readable file in UTF-8 \((.*)\)$/;
    assertEquals(problemsOf(project).map((text) => expected.exec(text)?.[1]), [
      "The encoded data is not valid",
      'Cannot use "P/.work.toml": it is not a regular file',
      'Cannot read "P/.claude/trimtab.toml": it has 1000001 bytes, expected at most 1000000',
    ]);
  }));

Deno.test("loadContextConfig() follows a project's link only to a file in the project, and the user's link to any file", () =>
  inProject((project) => {
    using outside = newFolder();
    const text = "[context]\nwarn_threshold = 50\n";
    Deno.writeTextFileSync(`${outside.path}/shared.toml`, text);
    Deno.symlinkSync(`${outside.path}/shared.toml`, project.user);
    Deno.writeTextFileSync(`${project.projectDir}/shared.toml`, text.replace("50", "51"));
    Deno.symlinkSync("shared.toml", project.work);
    assertEquals(loadContextConfig(project).context.warn_threshold, 51);
    Deno.symlinkSync(`${outside.path}/shared.toml`, project.project);
    assertEquals(problemsOf(project), [
      "P/.claude/trimtab.toml |  |  | a file in the project, not a link to a file outside it",
    ]);
  }));

Deno.test("loadContextConfig() reads a file once when the project is the user's home", () =>
  inProject((project) => {
    const configDir = `${project.projectDir}/.claude`;
    Deno.writeTextFileSync(project.project, "[context]\nfoo = 1\n");
    assertEquals(problemsOf({ ...project, configDir }).length, 1);
  }));

Deno.test({
  name: "loadContextConfig() throws when a permission is missing",
  permissions: { read: false },
  fn: () => {
    const location = { projectDir: "/project", configDir: "/config" };
    const file = "/config/trimtab.toml";
    assertThrows(() => loadContextConfig(location), Deno.errors.NotCapable, file);
  },
});

function valueOf({ value, choices, range = [0, 0] }: KeySpec): fc.Arbitrary<unknown> {
  if (typeof value === "boolean") return fc.boolean();
  if (choices !== undefined) {
    return Array.isArray(value) ? fc.subarray([...choices]) : fc.constantFrom(...choices);
  }
  if (Array.isArray(value)) {
    const word = anyCharacters({ minLength: 1, maxLength: 40 });
    return fc.array(word.filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text)), { maxLength: 8 });
  }
  const [min, max] = range;
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
}

Deno.test("loadContextConfig() reads back any valid configuration written as TOML", () => {
  const tableOf = (specs: Readonly<Record<string, KeySpec>>): fc.Arbitrary<object> =>
    fc.record(
      Object.fromEntries(Object.entries(specs).map(([key, spec]) => [key, valueOf(spec)])),
      { requiredKeys: [] },
    );
  const percent = fc.integer({ min: 0, max: 100 });
  fc.assert(
    fc.property(
      tableOf(CONFIG_SPECS.context),
      tableOf(CONFIG_SPECS.live),
      tableOf(CONFIG_SPECS.inside),
      fc.tuple(percent, percent, percent),
      (context, live, inside, percents) => {
        const set = { ...context, ...thresholds(...percents.sort((a, b) => a - b)) };
        inProject((project) => {
          Deno.writeTextFileSync(project.project, stringify({ context: set, live: { ...live } }));
          Deno.writeTextFileSync(project.user, stringify({ inside: { ...inside } }));
          const loaded = loadContextConfig(project);
          assertEquals<unknown>(loaded.context, { ...DEFAULT_CONFIG.context, ...set });
          assertEquals<unknown>(loaded.live, { ...DEFAULT_CONFIG.live, ...live });
          assertEquals<unknown>(loaded.inside, { ...DEFAULT_CONFIG.inside, ...inside });
          for (const [key, source] of Object.entries(loaded.sources.context)) {
            assertEquals(source.layer, Object.hasOwn(set, key) ? "project" : "default");
          }
        });
      },
    ),
    RUNS,
  );
});

Deno.test("loadContextConfig() takes values of [inside] from a project only if they need no trust", () =>
  inProject((project) => {
    const values = "[inside]\nbefore_compaction = 'save'\ntrim_at_percent = 60\n";
    for (const isTrusted of [true, false]) {
      Deno.writeTextFileSync(project.project, values);
      const { inside, waiting, retired } = loadContextConfig({ ...project, isTrusted });
      assertEquals(inside, { ...DEFAULT_CONFIG.inside, before_compaction: "save" });
      assertEquals(waiting, []);
      assertEquals(retired, [{
        file: project.project,
        key: "inside.trim_at_percent",
        instead: "only trimtab.toml in Claude Code's folder can set this value",
      }]);
    }
    Deno.writeTextFileSync(project.user, values);
    assertEquals(loadContextConfig(project).inside.trim_at_percent, 60);
  }));

Deno.test("loadContextConfig() accepts a trusted file with a byte order mark", () =>
  inProject((project) => {
    const location = { ...project, isTrusted: false };
    writeTrusted(project.project, "\ufeff[live]\nenabled = true\n", location);
    const { live, waiting } = loadContextConfig(location);
    assertEquals([live.enabled, waiting], [true, []]);
  }));
