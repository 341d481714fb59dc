import { assert, assertEquals } from "@std/assert";
import { hasCode, parseFloor, parseLcov, summariseCoverage } from "../../tools/lcov.ts";
import { readProject } from "./project.ts";

const REPORT = `SF:/p/src/a.ts
FN:1,half
FNF:2
FNH:1
BRDA:2,1,0,0
BRF:4
BRH:3
DA:1,2
LH:8
LF:10
end_of_record
SF:/p/src/types.ts
BRF:0
BRH:0
LH:1
LF:1
end_of_record
SF:/p/tests/helper.ts
BRF:9
BRH:0
LH:0
LF:90
end_of_record
`;
const FLOOR = { lines: 80, branches: 75 };

Deno.test("parseLcov() reads counts by file", () => {
  const counts = { linesFound: 10, linesHit: 8, branchesFound: 4, branchesHit: 3 };
  assertEquals(parseLcov(REPORT)[0], { path: "/p/src/a.ts", ...counts });
  assertEquals(parseLcov(REPORT.replaceAll("\n", "\r\n")), parseLcov(REPORT));
  assertEquals(parseLcov(""), []);
});

Deno.test("summariseCoverage() names a file that no test loads, and reports an empty report", () => {
  const files = ["/p/src/a.ts", "/p/src/new.ts"];
  const { problems } = summariseCoverage(parseLcov(REPORT), files, FLOOR);
  assertEquals(problems, ["no test loads /p/src/new.ts"]);
  assertEquals(summariseCoverage([], [], FLOOR).problems, ["there is no file to cover"]);
});

Deno.test("the floor of coverage is at least 90 % of lines and 85 % of branches", () => {
  const { lines, branches } = parseFloor(readProject("deno.json"));
  assert(lines >= 90 && branches >= 85, `${lines} % of lines, ${branches} % of branches`);
});

Deno.test("hasCode() is false for a module with only types", () => {
  const types = `// const x
/** const y = 1; */
import type { A } from "./a.ts";
import { type B } from "./b.ts";
export type { A } from "./a.ts";
/** T */ export type T = {
  a: () => void;
};
export interface I {
  let: A | B;
}
`;
  assertEquals(hasCode(types), false);
  const codes = [
    ...["const x = 1;", "export async function f() {}", "export abstract class C {}"],
    ...['export * from "./a.ts";', 'export { a } from "./a.ts";', 'import "./a.ts";', "main();"],
    ...["if (Deno.args.length) {\n  main();\n}", "await main();", "import.meta.main && main();"],
    ...['await import("./a.ts");', "[1].map(String);", "export default class {}"],
  ];
  assertEquals(codes.filter((code) => !hasCode(types + code)), []);
});
