/**
 * Loads the specs of all commands, for the reference.
 *
 * @module
 */

import type { CommandSpec } from "../cli/spec.ts";

/** Returns the specs in the order of `trimtab --help`. */
export async function loadSpecs(
  commands: Readonly<Record<string, () => Promise<object>>>,
): Promise<CommandSpec[]> {
  const specs: CommandSpec[] = [];
  for (const [name, command] of Object.entries(commands)) {
    const exported: unknown[] = Object.values(await command());
    const spec = exported.find((value) => isSpecOf(value, name));
    if (!isSpecOf(spec, name)) {
      throw new Error(`Cannot describe ${name}: its script exports no CommandSpec of that name`);
    }
    specs.push(spec);
  }
  return specs;
}

function isSpecOf(value: unknown, name: string): value is CommandSpec {
  return typeof value === "object" && value !== null && "name" in value && value.name === name &&
    "positionals" in value && "options" in value;
}
