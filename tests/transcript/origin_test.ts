import { assert, assertEquals } from "@std/assert";
import { hasSameOrigin, trimmedFrom } from "../../src/transcript/origin.ts";
import { newFolder } from "../folder.ts";
import { textOf } from "./dsl.ts";

Deno.test("trimmedFrom() and hasSameOrigin() find the origin of a transcript that begins with a large picture", () => {
  using folder = newFolder();
  const [parent, fork, copy] = ["parent", "fork", "copy"].map((id) => `${folder.path}/${id}.jsonl`);
  assert(parent !== undefined && fork !== undefined && copy !== undefined);
  for (const bytes of [1_100_000, 6_000_000]) {
    const source = { type: "base64", media_type: "image/png", data: "A".repeat(bytes) };
    const message = { role: "user", content: [{ type: "image", source }] };
    const first = { type: "user", uuid: "u1", parentUuid: null, message };
    for (const path of [parent, fork]) Deno.writeTextFileSync(path, textOf([first]));
    const metadata = { parent_session_id: "parent" };
    Deno.writeTextFileSync(copy, textOf([{ ...first, trim_metadata: metadata }]));
    assertEquals(trimmedFrom(copy), "parent");
    for (const path of [copy, fork]) assert(hasSameOrigin(path, "parent"));
  }
});

Deno.test("trimmedFrom() returns null for a rescued copy, and for a parent that is no plain id", () => {
  using folder = newFolder();
  const parentOf = (metadata: Record<string, unknown>): string | null => {
    const path = `${folder.path}/copy.jsonl`;
    Deno.writeTextFileSync(path, textOf([{ type: "user", uuid: "u1", ...metadata }]));
    return trimmedFrom(path);
  };
  const parent = { parent_session_id: "parent" };
  assertEquals(parentOf({ trim_metadata: parent }), "parent");
  const isFrom = (id: string): boolean => hasSameOrigin(`${folder.path}/copy.jsonl`, id);
  assertEquals(["parent", "other"].map(isFrom), [true, false], "the parent may be deleted");
  assertEquals(parentOf({ rescue_metadata: parent }), null);
  assertEquals(parentOf({ trim_metadata: { parent_session_id: "../parent" } }), null);
  assertEquals(parentOf({}), null);
  const parentAtLine = (line: number): string | null => {
    const path = `${folder.path}/copy.jsonl`;
    const before = Array(line - 1).fill({ type: "mode" });
    Deno.writeTextFileSync(path, textOf([...before, { uuid: "u1", trim_metadata: parent }]));
    return trimmedFrom(path);
  };
  assertEquals([50, 51].map(parentAtLine), ["parent", null], "only the first lines are read");
});
