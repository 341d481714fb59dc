import { assert, assertEquals } from "@std/assert";
import { hasSameOrigin, trimmedFrom } from "../../src/transcript/origin.ts";
import { textOf } from "./dsl.ts";

Deno.test("trimmedFrom() and hasSameOrigin() recognize a copy that begins with a picture", () => {
  const folder = Deno.makeTempDirSync();
  try {
    for (const bytes of [1_100_000, 6_000_000]) {
      const source = { type: "base64", media_type: "image/png", data: "A".repeat(bytes) };
      const message = { role: "user", content: [{ type: "image", source }] };
      const first = { type: "user", uuid: "u1", parentUuid: null, message };
      const metadata = { parent_session_id: "parent" };
      Deno.writeTextFileSync(`${folder}/parent.jsonl`, textOf([first]));
      Deno.writeTextFileSync(`${folder}/fork.jsonl`, textOf([first]));
      const copy = `${folder}/copy.jsonl`;
      Deno.writeTextFileSync(copy, textOf([{ ...first, trim_metadata: metadata }]));
      assertEquals(trimmedFrom(copy), "parent");
      assert(hasSameOrigin(copy, "parent"));
      assert(hasSameOrigin(`${folder}/fork.jsonl`, "parent"));
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
