/** What the user configured, in layers. */

export {
  CONFIG_SPECS,
  type ConfigTable,
  type ContextConfig,
  DEFAULT_CONFIG,
  expectationOf,
  type InsideConfig,
  type KeySpec,
  type LiveConfig,
  type TrimtabConfig,
} from "./config/schema.ts";
export {
  type ConfigFile,
  configFiles,
  type ConfigLayer,
  type ConfigLocation,
} from "./config/files.ts";
export { ConfigError, type ConfigProblem, problemText, type RetiredKey } from "./config/problem.ts";
export {
  type ConfigSource,
  type ConfigSources,
  type LoadConfigOptions,
  loadContextConfig,
  type LoadedConfig,
} from "./config/load.ts";
