/** Makes hostile values for an id or a path. */

import { exists } from "../../src/store/exists.ts";
import { OUTSIDER, PARENT, SESSION, type World } from "./world.ts";

export interface HostileValue {
  readonly name: string;
  readonly text: string;
}

/** Creates the links, pipes and folders that the values point to. No value is the path of a regular file. */
export function hostileValues(world: World): HostileValue[] {
  const { outside, project, root } = world;
  const up = `${"../".repeat(12)}${outside.slice(1)}`;
  const values: Record<string, string> = {
    "parent folder": "..",
    "up and away": `${up}/secret`,
    "up from an id": `${SESSION}/../../../../../outside/${OUTSIDER}`,
    "up by backslashes": `..\\..\\outside\\${OUTSIDER}`,
    "drive letter": "C:\\outside\\secret.txt",
    "NUL": `${SESSION}\0.jsonl`,
    "newline": `${SESSION}\n${OUTSIDER}`,
    "very long": "a".repeat(70_000),
    "shell": `$(touch ${outside}/pwned);\`touch ${outside}/pwned\``,
    "escape": "\x1b]52;c;Y2FuYXJ5\x07.jsonl",
    "id that has a link": PARENT.replace("2", "3"),
    "link to nothing": `${project}/nothing.jsonl`,
    "folder": `${project}/folder.jsonl`,
    "link to a folder": `${project}/linked.jsonl`,
    "pipe": `${project}/pipe.jsonl`,
    "link to a pipe": `${project}/piped.jsonl`,
    "endless device": "/dev/zero",
    "link to a device": `${project}/zero.jsonl`,
    "link to itself": `${project}/loop.jsonl`,
    "home": "~/secret.jsonl",
    "prototype": "__proto__",
    "root": "/",
  };
  Deno.mkdirSync(`${project}/folder.jsonl`, { recursive: true });
  const targets = {
    loop: `${project}/loop.jsonl`,
    nothing: `${outside}/new.jsonl`,
    linked: `${outside}/folder`,
    piped: `${root}/pipe`,
    zero: "/dev/zero",
  };
  for (const [link, target] of Object.entries(targets)) relink(`${project}/${link}.jsonl`, target);
  // The link has the name of a transcript, so that trimtab finds it as a session.
  relink(
    `${world.sessions}/${values["id that has a link"]}.jsonl`,
    `${outside}/${OUTSIDER}.jsonl`,
  );
  linkPipe(world, `${project}/pipe.jsonl`);
  return Object.entries(values).map(([name, text]) => ({ name, text }));
}

export function relink(path: string, target: string): void {
  if (exists(path)) Deno.removeSync(path, { recursive: true });
  Deno.symlinkSync(target, path);
}

/** Replaces anything at the path with a hard link to the world's pipe, which is made on first use. */
export function linkPipe(world: World, path: string): void {
  const pipe = `${world.root}/pipe`;
  if (!exists(pipe)) {
    const { success } = new Deno.Command("mkfifo", { args: [pipe] }).outputSync();
    if (!success) throw new Error(`Cannot make pipe ${pipe}`);
  }
  if (exists(path)) Deno.removeSync(path, { recursive: true });
  Deno.linkSync(pipe, path);
}
