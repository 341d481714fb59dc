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

/** Runs a test on a project of its own, without any configuration file. */
export function inProject(run: (project: Project) => void): void {
  const root = Deno.makeTempDirSync();
  const projectDir = `${root}/project`;
  const configDir = `${root}/config`;
  try {
    Deno.mkdirSync(`${projectDir}/.claude`, { recursive: true });
    Deno.mkdirSync(configDir);
    run({
      projectDir,
      configDir,
      isTrusted: true,
      user: `${configDir}/trimtab.toml`,
      work: `${projectDir}/.work.toml`,
      project: `${projectDir}/.claude/trimtab.toml`,
    });
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}
