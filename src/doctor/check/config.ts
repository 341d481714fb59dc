import { loadContextConfig } from "../../config/load.ts";
import { ConfigError, problemText, shownValue } from "../../config/problem.ts";
import { DEFAULT_CONFIG, type TrimtabConfig } from "../../config/schema.ts";
import { unshapedNames } from "../../live/responses.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";

export function checkConfig({ projectDir, configDir }: DoctorPlace): CheckResult {
  const note = "the user's and the project's trimtab.toml, and .work.toml";
  try {
    const { waiting, retired, live, sources } = loadContextConfig({ projectDir, configDir });
    const waitingByFile = Map.groupBy(waiting, ({ file }) => file);
    const problems = [
      ...[...waitingByFile].map(([file, values]) =>
        withoutEffect(file, `Not in effect yet: ${values.map(({ key }) => key).join(", ")}.`)
      ),
      ...retired.map(({ file, key, instead }) =>
        withoutEffect(file, `${key} has no effect: ${instead}.`)
      ),
    ];
    const unshaped = unshapedNames(live.tools);
    if (unshaped.length > 0) {
      const names = shownValue(unshaped);
      const problem = `No effect in live.tools: ${names}. Outputs of these tools are never shaped.`;
      problems.push(withoutEffect(sources.live.tools.from, problem));
    }
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
