/**
 * Renders the reference page for the configuration.
 *
 * @module
 */

import { expectedOf } from "../src/config/describe.ts";
import { CONFIG_SPECS, type KeySpec } from "../src/config/schema.ts";
import { code, GENERATED, list, words } from "./reference_text.ts";

const TABLES: Readonly<Record<string, string>> = {
  context: "Levels, trims, saves.",
  live: "Shaping of long outputs before the model sees them.",
  inside: "Automatic trims in place.",
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
      return [`## \\[${name}\\]`, about, keyList(specs)];
    }),
  ].join("\n\n") + "\n";
}

function keyList(specs: Readonly<Record<string, KeySpec>>): string {
  return list(
    Object.entries(specs).map(([key, spec]) =>
      `${code(key)}, ${defaultOf(key, spec)}: ${words(spec.help)}${choicesOf(key, spec)}`
    ),
  );
}

/** Lists the values of a choice. For other keys, the default shows the type. */
function choicesOf(key: string, spec: KeySpec): string {
  return spec.of === undefined ? "" : `; ${words(expectedOf(key, spec))}`;
}

function defaultOf(key: string, { value }: KeySpec): string {
  if (value === null) return key === "window_tokens" ? "detected" : "unset";
  return code(JSON.stringify(value).replaceAll(",", ", "));
}
