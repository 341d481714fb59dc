/** The parts of a text that are made of a snapshot's trail. */

import { quoteLine } from "../../inject/plain_markdown.ts";
import { layout } from "../layout.ts";
import { type SnapshotContent, stateOf } from "./snapshot.ts";

/** Lays out the parts of a snapshot's content; none where it holds no trail. */
export function contentParts(
  content: SnapshotContent,
  room: number,
): ReadonlyMap<string, readonly string[]> {
  if (content.trail === undefined) return new Map();
  const { sections } = layout(stateOf(content), {
    projectDir: commonFolder(content),
    beside: "snapshot",
    room,
  });
  return new Map(sections.map(({ name, lines }) => {
    // The first prompt is the text under its heading, the others are a list.
    const bare = name === "Task" ? [lines[0]?.replace(/^- (?:\(first\) )?/, "") ?? ""] : [];
    return [name, [...bare, ...lines.slice(bare.length)].map(quoteLine)];
  }));
}

/** The folder that holds all files that were changed or read; empty where there is none. */
function commonFolder({ changes, trail }: SnapshotContent): string {
  const paths = [...changes.map(({ file }) => file), ...(trail?.read ?? [])]
    .filter((path) => path.startsWith("/"));
  const [first = "", ...others] = paths;
  let folder = first.slice(0, Math.max(first.lastIndexOf("/"), 0));
  for (const path of others) {
    while (folder !== "" && !path.startsWith(`${folder}/`)) {
      folder = folder.slice(0, folder.lastIndexOf("/"));
    }
  }
  return folder;
}
