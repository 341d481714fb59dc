import { assertRejects } from "@std/assert";
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
