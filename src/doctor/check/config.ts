import { loadContextConfig } from "../../config/load.ts";
import { ConfigError, problemText } from "../../config/problem.ts";
import { DEFAULT_CONFIG, type TrimtabConfig } from "../../config/schema.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";

export function checkConfig({ projectDir, configDir }: DoctorPlace): CheckResult {
  const note = "the user's and the project's trimtab.toml, and .work.toml";
  try {
    const { waiting, retired } = loadContextConfig({ projectDir, configDir });
    const waitingByFile = Map.groupBy(waiting, ({ file }) => file);
    const problems = [
      ...[...waitingByFile].map(([file, values]) =>
        withoutEffect(file, `Not in effect yet: ${values.map(({ key }) => key).join(", ")}.`)
      ),
      ...retired.map(({ file, key, instead }) =>
        withoutEffect(file, `${key} has no effect: ${instead}.`)
      ),
    ];
    return { problems, note };
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

function withoutEffect(subject: string, problem: string): Problem {
  return { id: "config_without_effect", subject, problem };
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
