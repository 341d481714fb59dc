/** Renders the reference page for the configuration. */

import { expectedOf } from "../src/config/describe.ts";
import {
  CONFIG_SPECS,
  type ContextConfig,
  type InsideConfig,
  type KeySpec,
  type LiveConfig,
} from "../src/config/schema.ts";
import { code, GENERATED, list, words } from "./reference_text.ts";

const TABLES: Readonly<Record<string, string>> = {
  context: "Levels, trims, saves.",
  live: "Shaping of long outputs before the model sees them.",
  inside: "Automatic trims in place.",
};

export const KEY_HELP: {
  readonly context: Readonly<Record<keyof ContextConfig, string>>;
  readonly live: Readonly<Record<keyof LiveConfig, string>>;
  readonly inside: Readonly<Record<keyof InsideConfig, string>>;
} = {
  context: {
    warn_threshold: "the first warning appears and a checkpoint is saved",
    recommend_threshold: "a trim or a rollover is recommended",
    urgent_threshold: "a trim or a rollover is urged",
    auto_compact_threshold: "a snapshot is saved",
    check_interval_seconds:
      "a warning repeats at an unchanged level after ten times this many seconds",
    trim_threshold_chars:
      "a light trim keeps results of up to this many characters in full; a higher value also keeps more of longer results",
    trim_target_tools:
      "tools whose results a trim cuts; the default list stands for nearly all tools",
    trim_keep_recent: "number of newest results that a trim keeps in full",
    window_tokens:
      "size of the window in tokens; set it to correct the detected size or to use less",
    retention_days: "days after which old saves and logs are deleted",
    kept_days: "days that `trimtab keep` keeps a transcript after its last use",
    restore_max_chars: "maximum characters of restored text",
    restore_on: "session starts that restore saved work in full",
  },
  live: {
    enabled: "whether to shorten long outputs",
    max_chars:
      "an output with more characters is shortened to at most two fifths of this, unless it has many errors",
    tools: "tools whose outputs are shaped: any of the default tools, and Read",
    protect: "files whose content is never shortened",
  },
  inside: {
    before_compaction:
      "before an automatic compaction: trim in place, only save, or auto, which trims only in a terminal",
    compact_after_trim_percent: "if a trim leaves more than this, the client still compacts",
    trim_at_percent: "the end of a turn starts a trim in place, in a terminal",
    trim_when_cold: "whether to trim in place on resume when the prompt cache has expired",
    model_may_trim:
      "whether the model, in a terminal, gets a tool to request a trim once one is recommended",
  },
};

/** @throws {Error} When a table has no description. */
export function configPage(): string {
  return [
    "# Configuration",
    GENERATED,
    "Each key with its default. [Configuration](../guides/configuration.md) explains which file takes precedence. " +
    "Keys that end in `_threshold` or `_percent` are percentages of the limit. An " +
    "unknown key, a wrong type, a number out of range or thresholds out of order cause an error that names the " +
    "file, key, value and what is expected; a hook then uses the defaults and reports the error once.",
    ...Object.entries(CONFIG_SPECS).flatMap(([name, specs]) => {
      const about = TABLES[name];
      if (about === undefined) throw new Error(`Cannot describe [${name}]: add it to TABLES`);
      return [`## \\[${name}\\]`, about, keyList(specs, Object(KEY_HELP)[name])];
    }),
  ].join("\n\n") + "\n";
}

function keyList(
  specs: Readonly<Record<string, KeySpec>>,
  help: Readonly<Record<string, string>>,
): string {
  return list(
    Object.entries(specs).map(([key, spec]) =>
      `${code(key)}, ${defaultOf(key, spec)}: ${words(help[key] ?? "")}${choicesOf(key, spec)}`
    ),
  );
}

/** Lists the values of a choice. For other keys, the default shows the type. */
function choicesOf(key: string, spec: KeySpec): string {
  return spec.choices === undefined ? "" : `; ${words(expectedOf(key, spec))}`;
}

function defaultOf(key: string, { value }: KeySpec): string {
  if (value === null) return key === "window_tokens" ? "detected" : "unset";
  return code(JSON.stringify(value).replaceAll(",", ", "));
}
