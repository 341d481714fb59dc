import { assertEquals } from "@std/assert";
import { sizeText, totalText } from "../../../src/doctor/clean/size_text.ts";

Deno.test("totalText() sums the sizes as listed", () => {
  const sizes = [1_040, 1_040, 1_040];
  assertEquals(sizes.map(sizeText), ["1.0 KB", "1.0 KB", "1.0 KB"]);
  assertEquals(totalText(sizes), "3.0 KB", "3,120 bytes would be 3.1 KB");
  assertEquals(totalText([]), "0 B");
  assertEquals(totalText([999, 1]), "1.0 KB");
});
