// Programs use the names that the designs specify, so every one of them must stay exported.

import { assertEquals } from "@std/assert";
import * as trimtab from "../../src/designs/mod.ts";
import { NAMES } from "./names.ts";
import "../own_config.ts";

for (const [document, names] of Object.entries(NAMES)) {
  Deno.test(`src/designs/mod.ts exports every name that the document on ${document} specifies`, () => {
    const missing = names.filter((name) => !Object.hasOwn(trimtab, name));
    assertEquals(missing, []);
  });
}
