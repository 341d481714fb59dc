/** Lists the commands to time: trimtab's own, and those that a person would use instead. */

import { allPermissions, withFolders } from "../tools/permissions.ts";
import type { BenchFile } from "./files.ts";
import { type Command, findProgram, LAUNCHER_ENV, runTimed } from "./measure.ts";

export interface Contender {
  readonly name: string;
  /** The reason, if the command cannot run here. */
  readonly command: ((file: BenchFile) => Command) | string;
}

/** Ratios are relative to these rows. */
export const BASELINES = {
  scanCopy: "scan and copy",
  cp: "cp",
  python: "python json",
  empty: "empty",
};

/** Rows for which the design sets a target. */
export const OWN = { trim: "trimtab trim", status: "trimtab status" };

/** Occurs once in each copy of the demo session in a generated transcript. */
const SEARCH_TEXT = "over 261 spans";

interface OwnCommand {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly options?: readonly string[];
}

const COMMANDS: readonly OwnCommand[] = [
  { name: OWN.trim, command: "trim" },
  { name: "trimtab trim --depth deep", command: "trim", options: ["--depth", "deep"] },
  { name: OWN.status, command: "status" },
  { name: "trimtab checkpoint", command: "checkpoint" },
  { name: "trimtab snapshot", command: "snapshot" },
  { name: "trimtab rescue --dry-run", command: "rescue", options: ["--dry-run"] },
  { name: "trimtab report", command: "report" },
  {
    name: "trimtab search",
    command: "search",
    args: [SEARCH_TEXT],
    options: ["--limit", "10000"],
  },
  {
    name: "trimtab search --regex --ignore-case",
    command: "search",
    args: ["OVER \\d+ spans", "--regex", "--ignore-case"],
    options: ["--limit", "10000"],
  },
];

/** Trimmers in Python. In `line`, $0 is python3, $1 the session, and $2 the copy. */
const PYTHON_TRIMMERS = [
  {
    name: "cozempic",
    module: "cozempic.cli",
    // It changes a session in place, so it gets a copy.
    line: 'cp "$1" "$2" && exec "$0" -m cozempic.cli treat "$2" -rx standard --execute',
  },
  {
    name: "claude-code-tools",
    module: "claude_code_tools.trim_session",
    line: 'exec "$0" -m claude_code_tools.trim_session "$1" --output-dir "${2%/*}"',
  },
];

const LAUNCHER = Deno.readTextFileSync(localPath("../bin/trimtab"));

const ROWS = allPermissions();

/** The launcher's line that lists the commands with a V8 flag, and the flag. */
const V8_FLAG_LINE = /^ *([a-z |-]+)\) engine=(\S+) ;;$/m.exec(LAUNCHER);

export async function contenders(): Promise<Contender[]> {
  const deno = [Deno.execPath(), "run", "--no-prompt"] as const;
  const io = ["--allow-read", "--allow-write"] as const;
  const tool = async (
    program: string,
    name: string,
    argv: (path: string, file: BenchFile) => Command["argv"],
  ): Promise<Contender> => {
    const path = await findProgram(program);
    if (path === null) return { name, command: `${program} is not on this machine` };
    return { name, command: (file) => ({ argv: argv(path, file) }) };
  };
  const script = (name: string, args: (file: BenchFile) => readonly string[]): Contender => ({
    name,
    command: (file) => ({ argv: [...deno, ...args(file)] }),
  });
  return [
    script(BASELINES.empty, () => [localPath("empty.ts")]),
    await tool("cp", BASELINES.cp, (cp, file) => [cp, file.path, output(file)]),
    script(
      BASELINES.scanCopy,
      (file) => [...io, localPath("scan_copy.ts"), file.path, output(file)],
    ),
    script(
      "scan, copy, fsync",
      (file) => [...io, localPath("scan_copy.ts"), "--fsync", file.path, output(file)],
    ),
    await tool(
      "python3",
      BASELINES.python,
      (python, file) => [python, localPath("round_trip.py"), file.path, output(file)],
    ),
    ...await Promise.all(PYTHON_TRIMMERS.map(pythonTrimmer)),
    await tool("jq", "jq -c .", (jq, file) => {
      const line = 'exec "$1" -c . "$2" > "$3"';
      return ["sh", "-c", line, "sh", jq, file.path, output(file)];
    }),
    await tool("grep", "grep -c", (grep, file) => [grep, "-c", SEARCH_TEXT, file.path]),
    await tool("rg", "rg -c", (rg, file) => [rg, "-c", SEARCH_TEXT, file.path]),
    ...COMMANDS.map(trimtabContender),
  ];
}

function output(file: BenchFile): string {
  return `${file.folder}/output`;
}

async function pythonTrimmer(
  { name, module, line }: typeof PYTHON_TRIMMERS[number],
): Promise<Contender> {
  const python = await findProgram("python3");
  const hasModule = python !== null &&
    (await runTimed({ argv: [python, "-c", `import ${module}`] })).code === 0;
  if (!hasModule) return { name, command: `python3 does not find ${module}` };
  return {
    name,
    command: (file) => ({
      argv: ["sh", "-c", line, python, file.path, output(file)],
      env: { CLAUDE_CONFIG_DIR: file.folder },
    }),
  };
}

function localPath(path: string): string {
  return `${import.meta.dirname}/${path}`;
}

function trimtabContender({ name, command, args = [], options = [] }: OwnCommand): Contender {
  const script = `scripts/${command}.ts`;
  const row = ROWS.get(script);
  if (row === undefined) return { name, command: "there is no such command" };
  const [, commands = "", flag = ""] = V8_FLAG_LINE ?? [];
  const getsFlag = commands.split(" | ").includes(command);
  return {
    name,
    command: (file) => ({
      argv: [
        Deno.execPath(),
        "run",
        "--no-prompt",
        ...(getsFlag ? [flag] : []),
        ...withFolders(row, { config: file.folder, project: file.folder }),
        localPath(`../${script}`),
        ...args,
        file.path,
        ...options,
        "--json",
      ],
      // Keeps the user's own configuration and sessions out of the measurement.
      env: { ...LAUNCHER_ENV, CLAUDE_CONFIG_DIR: file.folder, CLAUDE_PROJECT_DIR: file.folder },
    }),
  };
}
