import { assertEquals } from "@std/assert";
import { redactSecrets } from "../../src/secrets/redact.ts";
import { isMixed, isNamedSecret, type ValueContext } from "../../src/secrets/values.ts";

function place(kind: ValueContext["kind"], form: ValueContext["form"]): ValueContext {
  return { kind, form, next: "" };
}

/** For each kind and form, a value that does not count as a credential, and a similar one that does. */
const BOUNDS: readonly (readonly [place: ValueContext, ordinary: string, credential: string])[] = [
  [place("phrase", "quoted"), "qzx", "qzxw"],
  [place("password", "set"), "qz", "qzx"],
  [place("password", "quoted"), "q1z", "q1zx"],
  [place("password", "bare"), "q1!zx", "q1!zxw"],
  [place("password", "bare"), "required.", "Qzxwvk12."],
  // These values consist only of letters.
  [place("password", "bare"), "bCdFgHj", "bCdFgHjK"],
  // These values contain spaces.
  [place("password", "quoted"), "aB1 #d ef gh ij", "aB1 #d ef gh ijk"],
  // These values look like a path, and like a member of an object.
  [
    place("password", "quoted"),
    "/aB1c/D2eF3gH4iJ5kL6mN7oP8qR9sT",
    "/aB1c/D2eF3gH4iJ5kL6mN7oP8qR9sTu",
  ],
  [
    place("password", "bare"),
    "aB1c.D2eF3gH4iJ5kL6mN7oP8qR9sTu",
    "aB1c.D2eF3gH4iJ5kL6mN7oP8qR9sTu4",
  ],
  [place("secret", "set"), "qzxwvkj", "qzxwvkjh"],
  [place("secret", "set"), "123456789012", "1234567890123"],
  [place("secret", "quoted"), "a1b2c3d", "a1b2c3d4"],
  [place("secret", "bare"), "a1b2c3d4e5f", "a1b2c3d4e5f6"],
  [place("secret", "quoted"), "bcdfGbcdfgH", "bcdfGbcdfgHk"],
  // The ordinary value has one unpronounceable part, the credential has two.
  [place("secret", "quoted"), "bcdfaGaebcafe", "bcdfaGaebcdfe"],
  // Of four parts, one has no vowel in the ordinary value, and two in the credential.
  [place("secret", "quoted"), "BcdXyaAbeOki", "BcdXyzAbeOki"],
  // The ordinary value has no capital before a part of consonants.
  [place("secret", "quoted"), "bcdfgabcdfgah", "bcdfgaBcdfgah"],
  // The ordinary value has no letter.
  [place("secret", "quoted"), "1234567890#12", "123456789a#12"],
  [place("key", "quoted"), "a1b2c3d4e5f6g7h", "a1b2c3d4e5f6g7h8"],
  [place("other", "quoted"), "aB1cD2eF3gH4iJ5kL6m", "aB1cD2eF3gH4iJ5kL6mN"],
  [place("other", "quoted"), "abcdefghijkl?nopqrs1", "aB1cD2eF3gH4iJ5kL6?N"],
  // The ordinary values are a name in capitals, names of keys, a version and a path.
  [place("password", "quoted"), "DB_QZXW", "DB_QZXw"],
  [place("password", "bare"), "dbKey12", "dbKeq12"],
  [place("password", "bare"), "10.20.3.4", "10.20.3+4"],
  [place("other", "quoted"), "aB1cD2eF3gH4iJ5kLkey", "aB1cD2eF3gH4iJ5kLkex"],
  [
    place("password", "quoted"),
    "/home/someone/projects/a-long-folder-name",
    "/h0Me/s0mE1n3/pR0j3cTs/a1B2C3d4/f0Ld3R4m5",
  ],
  [place("password", "bare"), "abcdefghijklmnopq==", "abcdefghijklmnopqr=="],
];

Deno.test("isNamedSecret() requires a length and a mix of characters that depend on the name and the form", () => {
  for (const [place, ordinary, credential] of BOUNDS) {
    const label = JSON.stringify(place);
    assertEquals([ordinary, isNamedSecret(ordinary, place)], [ordinary, false], label);
    assertEquals([credential, isNamedSecret(credential, place)], [credential, true], label);
  }
});

Deno.test("isMixed() requires at least one change of character kind per five characters", () => {
  assertEquals([isMixed("abcdeABC12"), isMixed("abcdefABC12")], [true, false]);
  assertEquals(["aBcDeFgHiJ1", "A1B2C3D4e", "a1b2c3d4E"].map(isMixed), [false, false, false]);
});

Deno.test("redactSecrets() finds a name after an escape, and a value that contains an escaped quotation mark", () => {
  assertEquals(redactSecrets("a\\nPASSWORD=qzx"), "a\\nPASSWORD=[redacted: password]");
  for (let before = 0; before < 8; before++) {
    const [start, end] = ["a\\u000a".repeat(before), "\\u000ab".repeat(7 - before)];
    const redacted = redactSecrets(`${start}PASSWORD\\u003dqzx${end}`);
    assertEquals(redacted, `${start}PASSWORD\\u003d[redacted: password]${end}`);
  }
  assertEquals(redactSecrets('password: "ab\\"qz7x"'), 'password: "[redacted: password]"');
});

Deno.test("redactSecrets() finds names of several words, and of at most 80 characters", () => {
  for (const name of ["pass_word", "pass_phrase", "`password`", `${"a".repeat(71)}_password`]) {
    assertEquals(redactSecrets(`${name}: "qz7xw"`), `${name}: "[redacted: password]"`);
  }
  for (const name of ["key_word", "key_phrase", "phrase", `${"a".repeat(72)}_password`]) {
    assertEquals(redactSecrets(`${name}: "qz7xw"`), `${name}: "qz7xw"`);
  }
});
