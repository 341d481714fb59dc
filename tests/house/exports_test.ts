// The designs fix these names, and programs use them.

import { assertEquals } from "@std/assert";
import * as trimtab from "../../src/designs/mod.ts";
import { NAMES } from "./names.ts";
import "../own_config.ts";

for (const [document, names] of Object.entries(NAMES)) {
  Deno.test(`mod.ts exports every name that the document on ${document} fixes`, () => {
    const missing = names.filter((name) => !Object.hasOwn(trimtab, name));
    assertEquals(missing, []);
  });
}
