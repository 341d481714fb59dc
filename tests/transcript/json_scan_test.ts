import { assert, assertEquals, assertFalse } from "@std/assert";
import fc from "fast-check";
import {
  memberAt,
  MemberWalker,
  skipSpace,
  skipString,
  skipValue,
} from "../../src/transcript/json_scan.ts";

const RUN = { numRuns: 200, seed: 20_261_122 };

/** Text as its UTF-8 bytes, one character a byte. */
function latin1(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

interface Walk {
  members: [string, string][];
  objectEnd: number;
}

function walk(text: string, end = text.length): Walk {
  const walker = new MemberWalker();
  const members: [string, string][] = [];
  assert(walker.start(text, 0, end));
  while (walker.next()) {
    const { keyStart, keyEnd, valueStart } = walker;
    const valueEnd = walker.skip();
    if (valueEnd < 0) break;
    members.push([text.slice(keyStart, keyEnd), text.slice(valueStart, valueEnd)]);
  }
  return { members, objectEnd: walker.objectEnd };
}

Deno.test("skipSpace() passes over JSON's white space and a byte order mark, and nothing else", () => {
  assertEquals(skipSpace(" \t\r\n{", 0, 5), 4);
  assertEquals(skipSpace("\ufeff {", 0, 3), 2);
  assertEquals(skipSpace("\u00ef\u00bb\u00bf{", 0, 4), 3);
  assertEquals(skipSpace("\u00ef\u00bb{", 0, 3), 0);
  assertEquals(skipSpace("\u00a0{", 0, 2), 0);
  assertEquals(skipSpace("\f{", 0, 2), 0);
});

Deno.test("skipSpace() stops where the text ends", () => {
  assertEquals(skipSpace("    {", 1, 3), 3);
  assertEquals(skipSpace("", 0, 0), 0);
});

Deno.test("skipString() ends at the first quote that is not escaped", () => {
  for (
    const string of ['""', '"a"', '"\\""', '"\\\\"', '"\\\\\\""', '"a\\nb\\u0022"', '"{[,:]}"']
  ) {
    assertEquals(skipString(`x${string},"y"`, 1, string.length + 5), string.length + 1);
  }
});

Deno.test("skipString() answers -1 where no quote closes the string before the end", () => {
  assertEquals(skipString('"abc', 0, 4), -1);
  assertEquals(skipString('"abc\\"', 0, 6), -1);
  assertEquals(skipString('"abc"', 0, 4), -1);
  assertEquals(skipString('"', 0, 1), -1);
});

Deno.test("skipValue() finds the end of every kind of value, compact or spaced", () => {
  for (
    const value of [
      "true",
      "null",
      "-1.5e+3",
      '"a,b"',
      "[]",
      "{}",
      '[1,[2,{"a":"]"}]]',
      '{ "a" : [ 1 , "}" ] }',
      '{"a":{"b":{"c":[[[]]]}}}',
    ]
  ) {
    for (const behind of ["", ",", "}", "]", " ", "\n"]) {
      assertEquals(skipValue(value + behind, 0, value.length + behind.length), value.length, value);
    }
  }
});

Deno.test("skipValue() answers -1 where the value is missing or does not end", () => {
  for (const text of ["", ",", "}", " ", '"a', "[1,2", '{"a":{}', '{"a":"b', '["\\"]']) {
    assertEquals(skipValue(text, 0, text.length), -1, text);
  }
  assertEquals(skipValue("[1,2]", 0, 4), -1);
});

Deno.test("skipValue() does not run out of stack on deep nesting", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  assertEquals(skipValue(deep, 0, deep.length), 400_000);
});

Deno.test("MemberWalker lists the members of compact and of spaced JSON alike", () => {
  assertEquals(walk('{"a":1,"b":[2,3],"c":{"d":"}"}}'), {
    members: [["a", "1"], ["b", "[2,3]"], ["c", '{"d":"}"}']],
    objectEnd: 31,
  });
  assertEquals(walk(" {}".trim()), { members: [], objectEnd: 2 });
  assertEquals(walk("{ \n}"), { members: [], objectEnd: 4 });
  assertEquals(walk('{\t"a" : 1 ,\r\n "b":\ttrue }'), {
    members: [["a", "1"], ["b", "true"]],
    objectEnd: 25,
  });
});

Deno.test("MemberWalker gives keys as they are written, escapes and empty ones too", () => {
  const { members } = walk(String.raw`{"":1,"a\"b":2,"\u0061":3}`);
  assertEquals(members, [["", "1"], [String.raw`a\"b`, "2"], [String.raw`\u0061`, "3"]]);
});

Deno.test("MemberWalker stops behind its object, whatever follows", () => {
  const text = '{"a":1}{"b":2}';
  const walker = new MemberWalker();
  assert(walker.start(text, 0, text.length));
  assert(walker.next());
  assertFalse(walker.next());
  assertEquals(walker.objectEnd, 7);
  assertFalse(walker.next());
  assertEquals(walker.objectEnd, 7);
  assert(walker.start(text, walker.objectEnd, text.length));
  assert(walker.next());
  assert(walker.keyIs("b"));
});

Deno.test("MemberWalker.start() refuses what is not an object", () => {
  const walker = new MemberWalker();
  assertFalse(walker.start("[1]", 0, 3));
  assertFalse(walker.start("", 0, 0));
  assertFalse(walker.start("{}", 0, 0));
});

const BROKEN = [
  "{",
  '{"a',
  '{"a"',
  '{"a":',
  '{"a": ',
  '{"a":1',
  '{"a":"x',
  '{"a":[1',
  '{"a":1,',
  '{"a":1,}',
  '{"a":1 "b":2}',
  '{"a":1]',
  '{"a" 1}',
  '{"a":}',
  "{a:1}",
  '{,"a":1}',
];

for (const text of BROKEN) {
  Deno.test(`MemberWalker breaks off in ${text}`, () => {
    assertEquals(walk(text).objectEnd, -1);
  });
}

Deno.test("MemberWalker does not look behind the end that it is given", () => {
  const text = '{"a":1,"b":2}';
  for (let end = 1; end < text.length; end++) assertEquals(walk(text, end).objectEnd, -1);
  assertEquals(walk(text + "  ", text.length).objectEnd, text.length);
});

Deno.test("MemberWalker.skipTo() goes on from where the caller says that the value ends", () => {
  const text = '{"a":[1,2],"b":3}';
  const walker = new MemberWalker();
  walker.start(text, 0, text.length);
  walker.next();
  walker.skipTo(10);
  assert(walker.next());
  assertEquals(walker.valueStart, 15);
  walker.skipTo(-1);
  assertFalse(walker.next());
  assertEquals(walker.objectEnd, -1);
});

Deno.test("MemberWalker.keyIs() compares the whole key, as it is written", () => {
  const walker = new MemberWalker();
  const text = '{"type":1}';
  walker.start(text, 0, text.length);
  walker.next();
  assert(walker.keyIs("type"));
  assertFalse(walker.keyIs("typ"));
  assertFalse(walker.keyIs("types"));
  assertFalse(walker.keyIs("kind"));
});

Deno.test("MemberWalker's positions in Latin-1 text are those of the bytes", () => {
  const text = '{"é":"字😀","b":"\u00a0"}';
  const bytes = new TextEncoder().encode(text);
  const walker = new MemberWalker();
  const raw = latin1(text);
  const values: string[] = [];
  walker.start(raw, 0, raw.length);
  while (walker.next()) {
    values.push(new TextDecoder().decode(bytes.subarray(walker.valueStart, walker.skip())));
  }
  assertEquals(values, ['"字😀"', '"\u00a0"']);
  assertEquals(walker.objectEnd, bytes.length);
});

Deno.test("MemberWalker finds in any object what JSON.parse finds, decoded or as Latin-1", () => {
  const object = fc.dictionary(
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 6 },
  );
  fc.assert(
    fc.property(object, fc.constantFrom(0, 1, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const expected = Object.entries(value).map((
        [key, member],
      ) => [JSON.stringify(key), JSON.stringify(member)]);
      for (const given of [text, latin1(text)]) {
        const { members, objectEnd } = walk(given);
        assertEquals(objectEnd, given.length);
        const decoder = new TextDecoder();
        const plain = (part: string): string =>
          given === text
            ? part
            : decoder.decode(Uint8Array.from(part, (char) => char.charCodeAt(0)));
        const seen = members.map((
          [key, member],
        ) => [`"${plain(key)}"`, JSON.stringify(JSON.parse(plain(member)))]);
        assertEquals(seen, expected);
      }
    }),
    RUN,
  );
});

Deno.test("MemberWalker breaks off in every object that is cut short", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
    maxKeys: 4,
  });
  fc.assert(
    fc.property(object, fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const cut = text.slice(0, 1 + at % (text.length - 1));
      assertEquals(walk(cut).objectEnd, -1);
    }),
    RUN,
  );
});

Deno.test("memberAt() finds the value that a parser reads, of two the last", () => {
  for (
    const text of ['{"a":{"b":1},"b":2}', '{"b":1,"c":[2],"b":"3"}', ' {"b" : null , "b":{}} ']
  ) {
    const open = text.indexOf("{");
    const at = memberAt(text, open, text.length, "b");
    const found: unknown = JSON.parse(text.slice(at, skipValue(text, at, text.length)));
    assertEquals(found, JSON.parse(text).b, text);
    assertEquals(memberAt(text, open, text.length, "d"), -1);
  }
  assertEquals(memberAt('["b",1]', 0, 7, "b"), -1);
});
