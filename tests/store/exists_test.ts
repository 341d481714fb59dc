import { assertEquals } from "@std/assert";
import { entriesOf } from "../../src/store/exists.ts";
import { inFolder } from "../folder.ts";
import { posixTest } from "../posix.ts";

posixTest(
  "entriesOf() lists a folder, but not a file, a missing folder or a link to a folder",
  () =>
    inFolder((folder) => {
      Deno.writeTextFileSync(`${folder}/a`, "");
      Deno.symlinkSync(folder, `${folder}/b`);
      assertEquals(entriesOf(folder)?.map(({ name }) => name).sort(), ["a", "b"]);
      assertEquals(["a", "b", "c"].map((name) => entriesOf(`${folder}/${name}`)), [
        null,
        null,
        null,
      ]);
    }),
);
