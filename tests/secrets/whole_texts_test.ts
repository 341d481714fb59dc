import { assert, assertEquals } from "@std/assert";
import { extractFromEntries } from "../../src/extract/extract_state.ts";
import { call, numbered, prompt, said } from "../extract/events.ts";
import { DOCUMENTED_KINDS, drawFrom, type DrawnText, leakedPiece } from "./draw.ts";

/** Multi-line keys. No single line of them looks like a credential. */
const KEYS = ["Encrypted PEM", "PGP private block", "OpenSSH private key", "PuTTY key"];

function keys(seed: number): DrawnText[] {
  return DOCUMENTED_KINDS.filter(({ name }) => KEYS.includes(name))
    .map(({ template }, index) => drawFrom(template, seed + index));
}

Deno.test("extractFromEntries() keeps no piece of a multi-line key", () => {
  assertEquals(keys(0).length, KEYS.length);
  for (const { text, secrets } of keys(7)) {
    // Long text before the key moves the point at which text is cut into the middle of the key.
    for (const filler of [0, 300, 1_900, 60_000, 65_400]) {
      const before = "We decided to use it. ".repeat(Math.ceil(filler / 22)).slice(0, filler);
      const whole = `${before}\nPlease use this:\n${text}\nand we decided to keep it.`;
      const state = JSON.stringify(extractFromEntries(numbered(
        prompt(whole),
        prompt(`- ${text}\nNext steps:\n- TODO: use it`),
        said(`We chose it because of this:\n\n${text}\n\nNext steps:\n1. Go on.`),
        call("Bash", { command: "cat key" }, { isError: true, result: `error:\n${text}` }),
        call("Write", { file_path: "/p/a.pem", content: text }),
        call("Edit", { file_path: "/p/b.pem", old_string: "", new_string: `// TODO\n${text}` }),
        call("ExitPlanMode", { plan: `# Plan\n\n${text}` }, { result: "approved" }),
      )));
      for (const secret of secrets.filter((value) => value.length >= 10)) {
        const piece = leakedPiece(state, secret);
        assert(piece === undefined, `${filler}: ${piece} of ${text.slice(0, 40)}`);
      }
    }
  }
});
