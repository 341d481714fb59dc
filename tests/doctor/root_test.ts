import { assert } from "@std/assert";
import { existsSync } from "@std/fs";
import { findRoot } from "../../src/doctor/root.ts";

Deno.test("findRoot() returns the folder that contains bin/trimtab", () => {
  assert(existsSync(`${findRoot()}/bin/trimtab`));
});
