import { assert } from "@std/assert";
import { IS_FULL } from "../full.ts";
import { failCalls } from "./fail_calls.ts";
import { WRITE_PATHS } from "./write_paths.ts";

/** For each write path; a full run tries every call with every error. */
const MAX_CASES = IS_FULL ? Infinity : 28;

/** The doctor reads many files, and the code with which it writes has its own cases. */
const MAX_DOCTOR_CASES = IS_FULL ? Infinity : 12;

for (const path of WRITE_PATHS) {
  Deno.test(`the write path ${path.name} does no harm whichever system call fails`, async () => {
    const maxCases = path.name === "repair by the doctor" ? MAX_DOCTOR_CASES : MAX_CASES;
    const { cases, thrown } = await failCalls(path, maxCases);
    assert(cases >= 3 && thrown <= cases, `${cases} cases, ${thrown} of them threw`);
  });
}
