import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { rescueSession } from "../../../src/doctor/repair/rescue.ts";
import { runsOf } from "../../full.ts";
import { COPY, exchange, Home, objectsOf, textOf } from "./broken.ts";

const SEED = 20260105;
const RUNS = runsOf(150, 50, "damaged sessions that are rescued");

const mutations: readonly ((text: string, index: number) => string)[] = [
  (text, index) => text.slice(0, index) + text.slice(index + 37),
  (text, index) => `${text.slice(0, index)}${"\0".repeat(9)}${text.slice(index)}`,
  (text, index) => `${text.slice(0, index)}\n${text.slice(index)}`,
  (text, index) => text.slice(0, index) + text.slice(index).replace("\n", ""),
  (text, index) => text.slice(0, index) + text.slice(index).replace(/"uuid":"(.)\d/, '"uuid":"$19'),
  (text, index) => text.slice(0, index) + text.slice(index).replace(/Uuid":"."?/, 'Uuid":"'),
];

Deno.test(`rescueSession() leaves nothing to rescue in its copy (seed ${SEED})`, () => {
  const whole = textOf(Array.from({ length: 8 }, (_, n) => exchange(n + 1)).flat());
  const kind = fc.nat({ max: mutations.length - 1 });
  const damage = fc.array(fc.tuple(kind, fc.nat({ max: 999 })), { minLength: 1, maxLength: 5 });
  const property = fc.property(damage, (damages) => {
    let text = whole;
    for (const [index, place] of damages) {
      text = mutations[index]?.(text, Math.floor((text.length * place) / 1000)) ?? text;
    }
    using home = new Home(text);
    const { output } = home.rescue();
    if (output === null) return;
    const second = rescueSession({ session: { id: COPY, path: output }, dryRun: true });
    assertEquals(second.findings, []);
    const objects = objectsOf(home);
    const uuids = new Set(objects.map(({ uuid }) => uuid));
    const lost = objects.filter(({ parentUuid }, index) =>
      index > 0 && typeof parentUuid === "string" && !uuids.has(parentUuid)
    );
    assert(lost.length <= 1, "only a first message may have its parent in another file");
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
});
