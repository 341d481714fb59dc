import { assertEquals, assertRejects } from "@std/assert";
import { rehydrate, restore, search, show } from "../../mod.ts";
import { sessionPlace } from "./session_place.ts";
import "../own_config.ts";

Deno.test("search(), show(), rehydrate() and restore() explain invalid arguments", async () => {
  using place = sessionPlace("Rename the tiller to rudder.", "The rudder is renamed.");
  const range = "limit must be a whole number from 1 to 10000, got 0";
  const refusals = [
    [() => search({ ...place, pattern: "" }), SyntaxError, "the pattern is empty"],
    [() => search({ ...place, pattern: "x", limit: 0 }), RangeError, range],
    [() => show({ ...place, entry: "x" }), SyntaxError, "give a session and a line"],
    [() => show({ ...place, entry: `${place.session}:9` }), Error, "the last line is 2"],
    // @ts-expect-error A caller in JavaScript can pass this.
    [() => rehydrate({ ...place, level: "all" }), RangeError, '"all"'],
    [() => restore({ ...place, id: "gone" }), Error, "Cannot find save"],
  ] as const;
  for (const [call, type, message] of refusals) await assertRejects(call, type, message);
});

Deno.test("search() accepts limits and lengths of excerpts within their ranges, and says whether there is more", async () => {
  using place = sessionPlace("Rename the tiller to rudder.", "The rudder is renamed.");
  const find = async (options: { limit?: number; excerptChars?: number }): Promise<unknown[]> => {
    const { matches, truncated } = await search({ ...place, pattern: "rudder", ...options });
    return [matches.length, truncated];
  };
  for (const options of [{ limit: 2 }, { limit: 10_000 }, { excerptChars: 20 }]) {
    assertEquals(await find(options), [2, false]);
  }
  assertEquals(await find({ limit: 1, excerptChars: 2_000 }), [1, true]);
  const invalid = [{ limit: 10_001 }, { limit: 1.5 }, { excerptChars: 19 }, {
    excerptChars: 2_001,
  }];
  for (const options of invalid) {
    await assertRejects(() => find(options), RangeError, "must be a whole number");
  }
});

Deno.test("show() finds an entry by its line or the start of its id, but no line 0", async () => {
  using place = sessionPlace("Rename the tiller to rudder.", "The rudder is renamed.");
  const shown = async (entry: string): Promise<string> =>
    (await show({ ...place, entry: `${place.session}:${entry}` })).text;
  assertEquals([await shown("2"), await shown("0000001")].map((text) => text.includes("tiller")), [
    false,
    true,
  ]);
  for (const zero of ["0", "000"]) await assertRejects(() => shown(zero), SyntaxError);
  await assertRejects(() => shown("0e3c1a52"), Error, "no entry has an id");
});
