/**
 * Makes a project and a configuration folder next to it.
 *
 * @module
 */

import type { ConfigLocation } from "../../src/config/files.ts";

export interface Project extends ConfigLocation {
  readonly configDir: string;
  readonly user: string;
  /** The configuration file that trimtab shares with other tools. */
  readonly work: string;
  readonly project: string;
}

/** Makes a project without any configuration file. Disposing of the project removes both folders. */
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

export function inProject(run: (project: Project) => void): void {
  using project = newProject();
  run(project);
}
