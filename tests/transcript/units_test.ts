// Compares the two tables of src/transcript/tokens/units.ts with the rules that they encode.

import { assertEquals } from "@std/assert";
import {
  KIND_TABLE,
  STEP_TABLE,
  type TextUnits,
  TOKEN_WEIGHTS,
} from "../../src/transcript/tokens/units.ts";

/** Kinds of characters below U+0080. The first pattern that matches decides. */
const KINDS = {
  small: /[a-z]/,
  capital: /[A-Z]/,
  digit: /[0-9]/,
  space: / /,
  tab: /\t/,
  newline: /[\n\r]/,
  mark: /[!-~]/,
  control: /^/,
};
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/**
 * The states before a character, named after the previous character. `small1` is a small first letter of a
 * word, `small5` its fifth or a later letter.
 */
const STATES = [
  "start",
  "small1",
  "small2",
  "small3",
  "small4",
  "small5",
  "capital",
  "digit1",
  "digit2",
  "digit3",
  "space1",
  "space2",
  "tab",
  "newline",
  "mark",
  "other",
] as const;
type State = typeof STATES[number];

/** The state after a character, and the unit that the character counts as, if any. */
type Step = State | `${State} ${keyof TextUnits}`;

function stepOf(state: State, kind: Kind): Step {
  switch (kind) {
    case "small":
      if (state === "small4" || state === "small5") return "small5 letter";
      if (state === "small3") return "small4";
      if (state === "small2") return "small3";
      return state === "small1" || state === "capital" ? "small2" : "small1 word";
    case "capital":
      if (state === "capital") return "capital capital";
      return state.startsWith("small") ? "capital hump" : "capital word";
    case "digit":
      if (state === "digit1") return "digit2 more";
      return state === "digit2" ? "digit3 more" : "digit1 digits";
    case "space":
      if (state === "space1") return "space2 indent";
      return state === "space2" ? "space2 more" : "space1";
    case "control":
      return "other symbol";
    default:
      return `${kind} ${state === kind ? "more" : kind}`;
  }
}

const UNITS = Object.keys(TOKEN_WEIGHTS);

Deno.test("KIND_TABLE lists the kinds of the characters below U+0080", () => {
  const kindOf = (char: string): number => KIND_NAMES.findIndex((kind) => KINDS[kind].test(char));
  const kinds = Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));
  assertEquals(KIND_TABLE.replaceAll("\n", ""), kinds.join(""));
});

Deno.test("STEP_TABLE lists the next state and the unit for each state and kind", () => {
  const lines = STATES.map((state) => {
    const steps = KIND_NAMES.map((kind) => {
      const [next, unit] = stepOf(state, kind).split(" ");
      const slot = unit === undefined ? UNITS.length : UNITS.indexOf(unit);
      return STATES.findIndex((one) => one === next).toString(16) + slot.toString(16);
    });
    return `\n${state.padEnd(7)} ${steps.join(" ")}`;
  });
  assertEquals(STEP_TABLE, lines.join(""));
});
