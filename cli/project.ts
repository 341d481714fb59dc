/** Finds the project that a command is about, where no session is named. */

import { findConfigDir, findProjectDir } from "../src/store/paths.ts";

/** A project, and where Claude Code keeps its configuration. */
interface ProjectPlace {
  /** The project that its files are kept in. */
  projectDir: string;
  configDir: string | undefined;
}

/** Finds the project of the current folder. */
export function locateProject(): ProjectPlace {
  return { projectDir: findProjectDir({ cwd: Deno.cwd() }), configDir: findConfigDir() };
}
