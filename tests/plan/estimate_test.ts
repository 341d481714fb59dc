import { assertEquals, assertThrows } from "@std/assert";
import { describeEstimate, estimateTaskTokens, fileMeter } from "../../src/plan/estimate.ts";
import { newFolder } from "../folder.ts";
import type { BatchTask } from "../../src/plan/task.ts";

/** Calls `check` with a project that has a small file, an empty file, and a file too large to be read. */
function withProject(check: (projectDir: string) => void): void {
  using folder = newFolder();
  Deno.mkdirSync(`${folder.path}/src`);
  Deno.writeTextFileSync(`${folder.path}/src/small.ts`, "export const one = 1;\n".repeat(5));
  Deno.writeTextFileSync(`${folder.path}/src/empty.ts`, "");
  Deno.writeFileSync(`${folder.path}/src/large.bin`, new Uint8Array(400_000));
  check(folder.path);
}

Deno.test("estimateTaskTokens() adds the tokens of the description and the files, and multiplies by the complexity", () => {
  const auth = "Implement user authentication with OAuth2";
  const rows: readonly (readonly [task: BatchTask, tokens: number])[] = [
    [{ description: auth, estimated_files: 5 }, 15_015],
    // Without a list, the formula assumes 3 files. The description's 7 characters count as 1 token.
    [{ description: "x".repeat(7) }, 6_001],
    [{ description: "Fix it", files: ["a"] }, 2_001],
    // An empty list means no files.
    [{ description: "Fix it", files: [] }, 1],
    [{ description: "Fix it", files: ["a"], estimated_files: 4 }, 8_001],
    [{ description: "Update it", estimated_files: 0 }, 2],
    [{ description: "", estimated_files: 0 }, 0],
    // 2,401.2 is truncated.
    [{ description: "Add a", files: ["a"] }, 2_401],
  ];
  for (const [task, tokens] of rows) assertEquals(estimateTaskTokens(task), tokens);
});

Deno.test("describeEstimate() uses the verb with the highest complexity, in any inflection", () => {
  const rows: readonly (readonly [factor: number, keyword: string | null, texts: string])[] = [
    [2, "refactor", "Refactor|refactors it|refactored|REFACTORING|fix after refactoring"],
    [1.5, "implement", "implement|implements|implemented|implementing|an implementation"],
    [1.2, "add", "add|adds|added|adding|fix, then add|re-add it|Add:|(add)"],
    [1, "fix", "fix|fixes|fixed|fixing|update and fix"],
    [1, "update", "update|updates|updated|updating"],
    [1, null, "address|additional|addendum|prefix|suffixes|fixture|implementer|refactorer"],
    [1, null, "updater|outdated|addUser|add_user|add2|éadd|addé||日本"],
  ];
  for (const [multiplier, keyword, texts] of rows) {
    for (const text of texts.split("|")) {
      const found = describeEstimate({ description: text });
      assertEquals([found.multiplier, found.keyword], [multiplier, keyword], text);
    }
  }
});

Deno.test("describeEstimate() counts a large file by its size, an empty file as 0, and a folder as unknown", () => {
  withProject((projectDir) => {
    const tokensOf = (file: string): [number, string] => {
      const meter = fileMeter({ measureFiles: true, projectDir });
      const estimate = describeEstimate({ description: "Look", files: [file] }, meter);
      return [estimate.file_tokens, estimate.source];
    };
    assertEquals(tokensOf("src/large.bin"), [100_000, "measured"]);
    assertEquals(tokensOf("src/empty.ts"), [0, "measured"]);
    assertEquals(tokensOf("src"), [2_000, "formula"]);
    assertEquals(tokensOf("src/small.ts/x"), [2_000, "formula"]);
    assertEquals(tokensOf("a\0b"), [2_000, "formula"]);
  });
});

Deno.test("describeEstimate() counts unlisted files at the usual size, and scales the sum down if fewer files are estimated than listed", () => {
  withProject((projectDir) => {
    const task = { description: "Look", files: ["src/large.bin"], estimated_files: 3 };
    const meter = fileMeter({ measureFiles: true, projectDir });
    assertEquals(describeEstimate(task, meter).file_tokens, 104_000);
    assertEquals(describeEstimate(task, meter).files, 3);
    const fewer = { ...task, files: ["src/large.bin", "src/empty.ts"], estimated_files: 1 };
    assertEquals(describeEstimate(fewer, meter).file_tokens, 50_000);
  });
});

Deno.test("describeEstimate() rejects a description that is not a string, and an invalid number of files", () => {
  for (const description of [undefined, 3]) {
    const task = Object.assign({ description: "" }, { description });
    assertThrows(() => describeEstimate(task), TypeError, "description");
  }
  for (const estimated_files of [-1, NaN, Infinity]) {
    const estimate = (): number => estimateTaskTokens({ description: "a", estimated_files });
    assertThrows(estimate, RangeError, `${estimated_files} files`);
  }
});
