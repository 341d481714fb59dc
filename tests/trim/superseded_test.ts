import { assertEquals } from "@std/assert";
import { type FileCall, fileUseOf, supersededUses } from "../../src/trim/superseded.ts";

const A = { file_path: "/a.ts" };

function read(id: string, input: Record<string, unknown> = A): FileCall {
  return { id, toolName: "Read", input };
}

function edit(id: string, more: Partial<FileCall> = {}): FileCall {
  return { id, toolName: "Edit", input: { ...A, old_string: "x", new_string: "y" }, ...more };
}

const CASES: [name: string, calls: FileCall[], superseded: string[]][] = [
  ["nothing read twice", [read("1"), read("2", { file_path: "/b.ts" })], []],
  ["a file read again", [read("1"), read("2"), read("3")], ["1", "2"]],
  ["a file changed later", [read("1"), edit("2")], ["1"]],
  ["a file read after a change, which says more than the change", [edit("1"), read("2")], ["1"]],
  ["a part that the whole covers", [read("1", { ...A, offset: 10, limit: 5 }), read("2")], ["1"]],
  ["the whole, of which a part is read again", [read("1"), read("2", { ...A, limit: 5 })], []],
  [
    "a part within another part",
    [read("1", { ...A, offset: 10, limit: 5 }), read("2", { ...A, offset: 8, limit: 10 })],
    ["1"],
  ],
  [
    "a part beside another part",
    [read("1", { ...A, offset: 10, limit: 5 }), read("2", { ...A, offset: 15, limit: 5 })],
    [],
  ],
  [
    "the first lines, asked for in two ways",
    [read("1", { ...A, offset: 2, limit: 9 }), read("2", { ...A, limit: 10 })],
    ["1"],
  ],
  ["a change that failed", [read("1"), edit("2", { isError: true })], []],
  ["a read that failed and one that did not", [read("1"), { ...read("2"), isError: true }], []],
  ["pages, which are no lines", [read("1"), read("2", { ...A, pages: "1-3" })], []],
  [
    "other pages",
    [read("1", { ...A, pages: "1-3" }), read("2", { ...A, pages: "4" })],
    [],
  ],
  ["pages that the whole covers", [read("1", { ...A, pages: "1-3" }), read("2")], ["1"]],
  [
    "what a change showed, when only a part is read later",
    [edit("1"), read("2", { ...A, limit: 5 })],
    [],
  ],
  ["an earlier change", [edit("1"), edit("2")], ["1"]],
  [
    "a notebook",
    [
      read("1", { file_path: "/n.ipynb" }),
      { id: "2", toolName: "NotebookEdit", input: { notebook_path: "/n.ipynb", new_source: "" } },
    ],
    ["1"],
  ],
  [
    "other tools, whatever their arguments",
    [read("1"), { id: "2", toolName: "Bash", input: { command: "cat /a.ts", ...A } }],
    [],
  ],
  ["arguments of a wrong type", [{ id: "1", toolName: "Read", input: "x" }, read("2", {})], []],
];

for (const [name, calls, superseded] of CASES) {
  Deno.test(`supersededUses() of ${name}`, () => {
    const uses = calls.flatMap((call) => fileUseOf(call) ?? []);
    assertEquals([...supersededUses(uses)].sort(), superseded);
  });
}
