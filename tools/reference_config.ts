/**
 * Renders the reference page for the configuration.
 *
 * @module
 */

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
    warn_threshold: "percent of the limit: the first warning, and a checkpoint",
    recommend_threshold: "percent of the limit: recommends a trim or a rollover",
    urgent_threshold: "percent of the limit: urges a trim or a rollover",
    auto_compact_threshold: "percent of the limit: saves a snapshot",
    check_interval_seconds:
      "a warning at an unchanged level repeats after ten times as many seconds",
    trim_threshold_chars:
      "characters up to which a light trim keeps a result whole; a higher value keeps more of longer ones",
    trim_target_tools: "tools whose results a trim cuts; this default means nearly all tools",
    trim_keep_recent: "newest results that a trim keeps whole",
    window_tokens: "tokens of the window; set it to correct the detected size or to use less",
    retention_days: "days after which old saves and logs are deleted",
    kept_days: "days that `trimtab keep` keeps a transcript after its last use",
    restore_max_chars: "maximum characters of restored text",
    restore_on: "session starts that restore saved work in full",
  },
  live: {
    enabled: "whether to shape long outputs",
    max_chars:
      "characters; a longer output is shaped to at most two fifths of this, unless it has many errors",
    tools: "tools whose outputs are shaped: any of the default tools, and Read",
    protect: "files whose content is never shortened",
  },
  inside: {
    before_compaction:
      "before an automatic compaction: trim in place, only save, or auto, which trims only in a terminal",
    compact_after_trim_percent: "percent of the limit: compact after all, if a trim leaves more",
    trim_at_percent:
      "percent of the limit at or above which a turn's end starts a trim in place, in a terminal",
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
    "Each key with its default. [Configuration](../guides/configuration.md) says which file wins. An " +
    "unknown key, a wrong type, a number out of range or thresholds out of order are an error that names " +
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
