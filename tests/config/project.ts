/**
 * A project with a configuration folder beside it, for the tests of this folder.
 *
 * @module
 */

import type { ConfigLocation } from "../../src/config/files.ts";

/** A project in a temporary folder. */
export interface Project extends ConfigLocation {
  /** The configuration folder, which is always there. */
  readonly configDir: string;
  /** The user's file. */
  readonly user: string;
  /** The shared file of another tool. */
  readonly work: string;
  /** The project's file. */
  readonly project: string;
}

/** A project without any configuration file, which is removed at the end of the block. */
export function newProject(): Project & Disposable {
  const root = Deno.makeTempDirSync();
  const projectDir = `${root}/project`;
  const configDir = `${root}/config`;
  Deno.mkdirSync(`${projectDir}/.claude`, { recursive: true });
  Deno.mkdirSync(configDir);
  return {
    projectDir,
    configDir,
    isTrusted: true,
    user: `${configDir}/trimtab.toml`,
    work: `${projectDir}/.work.toml`,
    project: `${projectDir}/.claude/trimtab.toml`,
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

/** Runs a test in a new project. */
export function inProject(run: (project: Project) => void): void {
  using project = newProject();
  run(project);
}
