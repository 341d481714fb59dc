/**
 * Validates snapshots against the published schema, as another program would, to compare with
 * `checkSave()`, which uses no library.
 *
 * @module
 */

import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import schema from "../../snapshots.schema.json" with { type: "json" };

const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
  .compile(schema);

export function validateSnapshot(value: unknown): string[] {
  return validate(value) ? [] : (validate.errors ?? []).map(sentence);
}

function sentence(error: ErrorObject): string {
  const path = error.instancePath.slice(1)
    .replaceAll(/(^|\/)(\d+)(?=\/|$)/g, "[$2]")
    .replaceAll("/", ".")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  return `${path === "" ? "The snapshot" : `The field ${path}`} ${error.message ?? "is wrong"}.`;
}
