/**
 * Makes a project and a configuration folder next to it.
 *
 * @module
 */

import type { ConfigLocation } from "../../src/config/files.ts";
import { tempProject } from "../saved/checkpoints.ts";

export interface Project extends ConfigLocation {
  readonly configDir: string;
  readonly user: string;
  /** The configuration file that trimtab shares with other tools. */
  readonly work: string;
  readonly project: string;
}

/** Makes a project without any configuration file. Disposing of the project removes both folders. */
export function newProject(): Project & Disposable {
  const place = tempProject();
  const { projectDir, configDir } = place;
  Deno.mkdirSync(`${projectDir}/.claude`);
  return {
    ...place,
    isTrusted: true,
    user: `${configDir}/trimtab.toml`,
    work: `${projectDir}/.work.toml`,
    project: `${projectDir}/.claude/trimtab.toml`,
  };
}

export function inProject(run: (project: Project) => void): void {
  using project = newProject();
  run(project);
}
