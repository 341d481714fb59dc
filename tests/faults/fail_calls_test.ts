import { assert, assertEquals } from "@std/assert";
import { IS_FULL } from "../full.ts";
import { failCalls } from "./fail_calls.ts";
import { WRITE_PATHS } from "./write_paths.ts";

/**
 * Maximum number of cases for each write path, in addition to critical cases. A full run tries every call with
 * every error.
 */
const MAX_CASES = IS_FULL ? Infinity : 16;

/** Maximum number of cases for the doctor, which mostly runs code that has its own cases. */
const MAX_DOCTOR_CASES = IS_FULL ? Infinity : 12;

/** These write paths may leave out optional records without a report, such as the row in the lineage. */
const BEST_EFFORT: readonly string[] = ["trim", "checkpoint"];

for (const path of WRITE_PATHS) {
  Deno.test(`the write path ${path.name} does no harm, and reports a loss, whichever system call fails`, async () => {
    const maxCases = path.name === "doctor repair" ? MAX_DOCTOR_CASES : MAX_CASES;
    const { cases, silent } = await failCalls(path, maxCases);
    assert(cases >= 3, `${cases} cases`);
    if (!BEST_EFFORT.includes(path.name)) assertEquals(silent, []);
  });
}
