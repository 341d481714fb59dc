/**
 * Validates snapshots against the published schema with a library, as another program would, to compare with
 * `checkSave()`.
 */

import { Ajv2020 } from "ajv/dist/2020.js";
import schema from "../../snapshots.schema.json" with { type: "json" };

const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
  .compile(schema);

export function validateSnapshot(value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
