import { assertEquals } from "@std/assert";
import {
  isListedAs,
  isListedBelow,
  isUnder,
  pathIn,
  withoutDots,
} from "../../src/changes/listed_paths.ts";

Deno.test("isUnder() accepts files below a folder, but not below a longer name", () => {
  assertEquals([isUnder("/p/a", "/p"), isUnder("/pa", "/p"), isUnder("/q/a", "/p")], [
    true,
    false,
    false,
  ]);
});

Deno.test("pathIn() resolves leading dots against the folder", () => {
  assertEquals(pathIn("/p/web", "../a.ts"), "/p/a.ts");
  assertEquals(pathIn("/p/web/x", "../../a"), "/p/a");
  assertEquals(pathIn("/p/web", ".."), "/p");
  assertEquals([withoutDots(".../a.ts"), withoutDots("../a.ts")], ["a.ts", "../a.ts"]);
});

Deno.test("isListedAs() accepts a file, its folder, and both paths of a move", () => {
  const listed = ["src/a.ts", "src/", ".../a.ts", "b.ts -> src/a.ts", "src/a.ts -> b.ts"];
  assertEquals(listed.filter((one) => !isListedAs(one, "src/a.ts")), []);
  assertEquals(["b.ts", "rc/", "src/core/"].filter((one) => isListedAs(one, "src/a.ts")), []);
});

Deno.test("isListedBelow() requires two folders in common", () => {
  assertEquals(isListedBelow("src/core/a.ts", "/p/src/core"), true);
  assertEquals(isListedBelow("core/a.ts", "/p/core"), false);
  assertEquals(isListedBelow("src/core/a.ts", "/p/lib/core"), false);
});
