// The reference agrees with the code about commands, keys, files and permissions.

import { assert, assertEquals } from "@std/assert";
import { existsSync } from "@std/fs";
import { KEY_HELP } from "../../tools/reference_config.ts";
import { stalePages } from "../../tools/reference.ts";
import { projectFiles, readProject, ROOT } from "./project.ts";

Deno.test("the pages of docs/reference agree with the code (else: deno task reference)", async () => {
  assertEquals(await stalePages(), []);
});

Deno.test("every configuration key has a one-line description", () => {
  for (const [key, help] of Object.values(KEY_HELP).flatMap(Object.entries<string>)) {
    assert(/^[^\n]{10,150}[^.\n]$/.test(help), `${key}: ${help}`);
  }
});

Deno.test("every link on a page leads to an existing file and heading", () => {
  const pages = projectFiles("", ["md"]).filter((path) =>
    /^(?:docs\/.*|README\.md|CONTRIBUTING\.md)$/.test(path)
  );
  const deadLinks = pages.flatMap((page) =>
    linksIn(readProject(page)).filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`)
  );
  assertEquals(deadLinks, []);
  assertEquals(linksIn("[a](b.md#c-d) `[x](y)` [e](https://f)\n```\n[g](h)\n```\n"), ["b.md#c-d"]);
  assert(!leadsSomewhere("README.md", "docs/README.md#no-such-heading"));
  assert(!leadsSomewhere("docs/README.md", "no_such_file.md"));
});

/** Leaves out links to other sites and links in code. */
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = `${ROOT}${path === "" ? `/${page}` : new URL(path, `file:///${page}`).pathname}`;
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const headings = [...Deno.readTextFileSync(target).matchAll(/^#+ (.*)$/gm)];
  return headings.some(([, heading = ""]) =>
    heading.toLowerCase().replaceAll(/[^\w\s-]/g, "").trim().replaceAll(/\s/g, "-") === anchor
  );
}
