import { assert, assertStringIncludes } from "@std/assert";
import { IS_FULL } from "../full.ts";
import { failCalls } from "./fail_calls.ts";
import { HOOK_PATHS } from "./hook_paths.ts";
import { newPlace } from "./place.ts";
import { withDiskFullFrom } from "./system_calls.ts";

/**
 * Maximum number of cases for each hook, in addition to critical cases. The write paths that hooks use have
 * their own tests.
 */
const MAX_CASES = IS_FULL ? Infinity : 10;

for (const path of HOOK_PATHS) {
  Deno.test(`${path.name} does no harm whichever system call fails`, async () => {
    const { cases } = await failCalls(path, MAX_CASES);
    assert(cases >= 3, `${cases} cases`);
  });
}

Deno.test("the PreCompact hook reports that it cannot save on a full disk, and why", async () => {
  const hook = HOOK_PATHS.find(({ name }) => name === "the PreCompact hook");
  using place = newPlace();
  const printed = String(await withDiskFullFrom(1, () => hook?.run(place, 1)));
  assertStringIncludes(printed, "trimtab could not save a checkpoint: ");
  assertStringIncludes(printed, "No space left on device");
});
