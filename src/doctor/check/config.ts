/** Looks at the configuration, and at what hooks know of it. */

import { readHookConfig } from "../../config/cached.ts";
import { findConfigFiles } from "../../config/files.ts";
import { loadContextConfig, type LoadedConfig } from "../../config/load.ts";
import { ConfigError, problemText } from "../../config/problem.ts";
import { refreshContextConfig } from "../../config/refresh.ts";
import { DEFAULT_CONFIG, type TrimtabConfig } from "../../config/schema.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";

export function checkConfig({ projectDir, configDir }: DoctorPlace): CheckResult {
  const location = { projectDir, configDir };
  const note = "trimtab.toml of the user and of the project, and .work.toml";
  let waiting: readonly Problem[];
  try {
    waiting = waitingProblems(loadContextConfig(location));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((one): Problem => ({
      id: "config_wrong",
      subject: one.file,
      problem: problemText(one),
    }));
    return { problems, note };
  }
  const { notice } = readHookConfig(location);
  if (notice === null) return { problems: waiting, note };
  const stale: Problem = {
    id: "config_cache_stale",
    subject: newestFile(location),
    problem: "It is new or changed, and no command has read it since.",
    repair: () => void refreshContextConfig(location),
  };
  return { problems: [...waiting, stale], note };
}

function waitingProblems({ waiting }: LoadedConfig): Problem[] {
  return [...Map.groupBy(waiting, ({ file }) => file)].map(([file, values]) => ({
    id: "config_waiting",
    subject: file,
    problem: `No effect yet: ${values.map(({ key }) => key).join(", ")}.`,
  }));
}

/** The configuration, or the defaults where that is wrong: then another finding says so. */
export function configOrDefaults(
  { projectDir, configDir }: Pick<DoctorPlace, "projectDir" | "configDir">,
): TrimtabConfig {
  try {
    return loadContextConfig({ projectDir, configDir });
  } catch (error) {
    if (error instanceof ConfigError) return DEFAULT_CONFIG;
    throw error;
  }
}

function newestFile(location: Pick<DoctorPlace, "projectDir" | "configDir">): string {
  const { notice } = readHookConfig(location);
  const paths = findConfigFiles(location).map(({ path }) => path);
  return paths.find((path) => notice?.includes(path)) ?? paths.at(-1) ?? "";
}
