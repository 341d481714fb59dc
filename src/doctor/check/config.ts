import { loadContextConfig, type LoadedConfig } from "../../config/load.ts";
import { ConfigError, problemText, shownValue } from "../../config/problem.ts";
import { DEFAULT_CONFIG, type TrimtabConfig } from "../../config/schema.ts";
import { unshapedNames } from "../../live/responses.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";

export function checkConfig({ projectDir, configDir }: DoctorPlace): CheckResult {
  const location = { projectDir, configDir };
  const note = "the user's and the project's trimtab.toml, and .work.toml";
  try {
    const config = loadContextConfig(location);
    return {
      problems: [
        ...waitingProblems(config),
        ...retiredProblems(config),
        ...unshapedProblems(config),
      ],
      note,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((invalid): Problem => ({
      id: "config_wrong",
      subject: invalid.file,
      problem: problemText(invalid),
    }));
    return { problems, note };
  }
}

function waitingProblems({ waiting }: LoadedConfig): Problem[] {
  return [...Map.groupBy(waiting, ({ file }) => file)].map(([file, values]) => ({
    id: "config_without_effect",
    subject: file,
    problem: `Not in effect yet: ${values.map(({ key }) => key).join(", ")}.`,
  }));
}

function retiredProblems({ retired }: LoadedConfig): Problem[] {
  return retired.map(({ file, key, instead }) => ({
    id: "config_without_effect",
    subject: file,
    problem: `${key} has no effect: ${instead}.`,
  }));
}

function unshapedProblems({ live, sources }: LoadedConfig): Problem[] {
  const names = unshapedNames(live.tools);
  if (names.length === 0) return [];
  return [{
    id: "config_without_effect",
    subject: sources.live.tools.from,
    problem: `No effect in live.tools: ${
      shownValue(names)
    }. Outputs of these tools are never shaped.`,
  }];
}

/** Returns the defaults for an invalid configuration, which is reported separately. */
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
