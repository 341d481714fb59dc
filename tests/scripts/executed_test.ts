import { assertEquals, assertThrows } from "@std/assert";
import { denyExecutedWrites } from "../../cli/executed.ts";
import { newFolder } from "../folder.ts";

// Deno's functions remain patched afterwards, but refuse writes only in this test's folder.
Deno.test("denyExecutedWrites() refuses writes to files that are executed later, and allows others", () => {
  using folder = newFolder();
  const config = `${folder.path}/.claude`;
  for (const name of ["trimtab/bin", "trimtab/own"]) {
    Deno.mkdirSync(`${config}/${name}`, { recursive: true });
  }
  Deno.symlinkSync(`${config}/trimtab/bin`, `${config}/trimtab/own/link`);
  Deno.writeTextFileSync(`${config}/settings.json`, "{}");
  denyExecutedWrites(config);

  const allowed = `${config}/trimtab/own/x`;
  Deno.writeTextFileSync(allowed, "x");
  assertEquals(Deno.readTextFileSync(`${config}/settings.json`), "{}");
  Deno.openSync(`${config}/settings.json`, { read: true }).close();
  const refused = ["settings.json", "settings.local.json", "skills/new/SKILL.md", "trimtab/bin/x"];
  for (const name of [...refused, "trimtab/own/link/x"]) {
    const path = `${config}/${name}`;
    const writes = [
      () => Deno.writeTextFileSync(path, "x"),
      () => Deno.renameSync(allowed, path),
      () => Deno.copyFileSync(allowed, path),
      () => Deno.linkSync(allowed, path),
      () => Deno.openSync(path, { write: true, create: true }),
    ];
    for (const write of writes) {
      assertThrows(write, Deno.errors.NotCapable, "which only install has", name);
    }
  }
  assertEquals(Deno.readTextFileSync(allowed), "x");
});
