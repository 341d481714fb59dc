/** `trimtab verify`: checks that a checkpoint exists and is complete. */

import { reasonOf } from "../src/store/atomic.ts";
import { existsSync } from "@std/fs";
import { checkpointFolder, findCheckpoint } from "../src/saved/checkpoint/files.ts";
import { indexCheckpoint, readIndex } from "../src/saved/checkpoint/project_index.ts";
import { verifyCheckpoint } from "../src/saved/checkpoint/verify.ts";
import { fileName, parentPath, resolvePath } from "../src/store/paths.ts";
import { type CommandOutput, EXIT, runCommand } from "../cli/command.ts";
import { locateProject } from "../src/verbs/place.ts";
import type { Arguments, CommandSpec } from "../cli/spec.ts";

export const VERIFY_SPEC: CommandSpec = {
  name: "verify",
  summary: "Check that a checkpoint exists, is complete and indexed.",
  positionals: "FILE",
  positionalCount: [1, 1],
  options: [],
  notes: [
    "FILE is a path, an id of a checkpoint of this project, or `latest`. A complete checkpoint",
    "that is missing from the index is added. Exit code 1 means that something is wrong with it.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(VERIFY_SPEC, argv, verify);
}

function verify(args: Arguments): CommandOutput {
  const [wanted = ""] = args.positionals;
  const path = pathOf(wanted);
  const { valid, problems, meta } = verifyCheckpoint(path);
  const note = valid ? indexIt(path) : "";
  const text = valid
    ? `${path} is a complete checkpoint${meta?.verified ? "" : ", not marked as verified"}.${note}`
    : [`${path} is not a complete checkpoint:`, ...problems.map((problem) => `- ${problem}`)].join(
      "\n",
    );
  return { json: { path, valid, problems }, text, exitCode: valid ? EXIT.done : EXIT.failed };
}

function pathOf(wanted: string): string {
  const path = resolvePath(wanted, Deno.cwd());
  if (existsSync(path)) return path;
  const { projectDir } = locateProject();
  // A phantom's path is reported as given: that it does not exist is the finding.
  const name = fileName(wanted) === "latest.md" ? "latest" : wanted;
  const found = findCheckpoint(name, { projectDir });
  if (found !== null) return found.path;
  if (name === "latest") {
    throw new Error(
      `Cannot verify the latest checkpoint: ${projectDir} has none. Save one with trimtab checkpoint`,
    );
  }
  return path;
}

/** Brings a checkpoint into the index that lacks it. */
function indexIt(path: string): string {
  const { configDir } = locateProject();
  if (configDir === undefined) return "";
  try {
    const isKnown = readIndex(configDir).checkpoints.some((row) => row.path === path);
    if (isKnown) return "";
    const projectDir = parentPath(parentPath(parentPath(path)));
    // A copy that stands somewhere else is nobody's checkpoint.
    if (parentPath(path) !== checkpointFolder(projectDir)) return "";
    const { checkpoints } = indexCheckpoint({ projectDir, configDir, nowMs: Date.now() });
    const isThere = checkpoints.some((row) => row.path === path);
    return isThere ? " It was missing from the index and has been added." : "";
  } catch (error) {
    return ` It is not in the index: ${reasonOf(error)}`;
  }
}

if (import.meta.main) Deno.exit(await run(Deno.args));
