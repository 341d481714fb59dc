import { assert } from "@std/assert";
import { parseFloor } from "../../tools/lcov.ts";
import { readProject } from "./project.ts";

Deno.test("the floor of coverage is at least 90 % of lines and 85 % of branches", () => {
  const { lines, branches } = parseFloor(readProject("deno.json"));
  assert(lines >= 90 && branches >= 85, `${lines} % of lines, ${branches} % of branches`);
});
