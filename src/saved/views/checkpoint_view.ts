/** Renders a checkpoint as Markdown for people. Its front matter is read only if there is no readable JSON. */

import { excerptLine } from "../../inject/excerpt.ts";
import { disarmTags } from "../../inject/fence.ts";
import {
  type CheckpointMeta,
  type ContextSnapshot,
  type SaveReason,
  type SnapshotContent,
  workOf,
} from "../save.ts";
import { headingsOf, layout } from "../../layout/layout.ts";

export const TRIGGERS: readonly SaveReason[] = ["auto", "manual", "watcher"];

export const MAX_CHECKPOINT_CHARS = 48_000;

const MAX_FRONT_CHARS = 32 * 1024;

const MAX_PROJECT_CHARS = 1_000;
const MAX_ID_CHARS = 64;
const MAX_META_CHARS = 300;

const SECTIONS = headingsOf("checkpoint");

/** Sections that Markdown without JSON must have: "What Changed" to "Next Steps". */
export const REQUIRED_SECTIONS: readonly string[] = SECTIONS.slice(1, 6);

/** Generated sections, which notes cannot fill. */
export const DERIVED_SECTIONS: readonly string[] = SECTIONS.slice(8);

const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n([^]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

export function checkpointView(save: ContextSnapshot, projectDir: string): string {
  const meta = metaOfSave(save);
  const partial = excerptLine(meta.partial ?? "", MAX_META_CHARS);
  const fields: [string, unknown][] = [
    ["id", excerptLine(meta.id, MAX_ID_CHARS)],
    ["created", meta.created],
    ["trigger", meta.trigger],
    ["project", excerptLine(meta.project, MAX_PROJECT_CHARS)],
    ["session_id", excerptLine(meta.session_id, MAX_ID_CHARS)],
    ["iteration", meta.iteration],
    ["verified", meta.verified],
    ["usage_percent", meta.usage_percent],
    ["parent", meta.parent === null ? null : excerptLine(meta.parent, MAX_ID_CHARS)],
    ...(partial === "" ? [] : [["partial", partial] as [string, unknown]]),
    ["summary", excerptLine(meta.summary ?? "", MAX_META_CHARS)],
  ];
  // Each value is JSON, which is valid YAML and contains no line breaks.
  const lines = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`).join("");
  const frontMatter = disarmTags(lines).replaceAll("<!--", "&lt;!--");
  const room = MAX_CHECKPOINT_CHARS - frontMatter.length - MAX_META_CHARS;
  return `---\n${frontMatter}---\n\n${checkpointSections(save, projectDir, room)}\n\n` +
    `${endMarker(meta.id)}\n`;
}

export function checkpointSections(
  save: SnapshotContent,
  projectDir: string,
  room: number = MAX_CHECKPOINT_CHARS,
): string {
  return layout(workOf(save), { skin: "checkpoint", projectDir, room }).text;
}

/** Returns the last line of a checkpoint; a file without it is incomplete. */
export function endMarker(id: string): string {
  return `<!-- trimtab: end of checkpoint ${id.replaceAll(/[^\w-]/g, "")} -->`;
}

/** Returns the section that a heading starts; unknown headings count only at levels 1 and 2. */
export function sectionOf(line: string): string | null {
  const [, marks = "", words = ""] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
  const heading = words.replace(/[ \t#]+$/, "");
  if (heading === "") return null;
  const known = SECTIONS.find((name) => name.toLowerCase() === heading.toLowerCase());
  return known ?? (marks.length <= 2 ? heading : null);
}

export function metaOfSave(save: ContextSnapshot): CheckpointMeta {
  return {
    id: save.snapshot_id,
    created: `${save.timestamp.slice(0, 19)}Z`,
    trigger: save.reason ?? "manual",
    project: save.project ?? "",
    session_id: save.session_id ?? "",
    iteration: save.iteration ?? 1,
    verified: save.verified === true,
    usage_percent: save.usage_percent ?? null,
    parent: save.parent ?? null,
    ...(save.partial === undefined ? {} : { partial: save.partial }),
    ...(save.summary === undefined ? {} : { summary: save.summary }),
  };
}

/** Reads the front matter of a checkpoint that has no JSON file, such as one from version 0.1.0 or another tool. */
export function metaOfText(text: string): CheckpointMeta | null {
  const [, frontMatter] = FRONT_MATTER.exec(text.slice(0, MAX_FRONT_CHARS)) ?? [];
  if (frontMatter === undefined) return null;
  const value = (name: string): string =>
    scalarOf(new RegExp(`^${name}:(.*)$`, "m").exec(frontMatter)?.[1]);
  const created = value("created");
  const trigger = TRIGGERS.find((one) => one === value("trigger"));
  const iteration = Number(value("iteration") || NaN);
  const percent = value("usage_percent");
  const isComplete = ISO_TIME.test(created) && Number.isFinite(Date.parse(created)) &&
    value("project") !== "" && /^session_id:/m.test(frontMatter) &&
    Number.isSafeInteger(iteration) && iteration >= 1 &&
    /^(?:true|false)$/.test(value("verified"));
  if (!isComplete || trigger === undefined) return null;
  return {
    id: value("id"),
    created,
    trigger,
    project: value("project"),
    session_id: value("session_id"),
    iteration,
    verified: value("verified") === "true",
    usage_percent: /^\d{1,3}(?:\.\d+)?$/.test(percent) ? Number(percent) : null,
    parent: value("parent") || null,
    ...(value("partial") === "" ? {} : { partial: value("partial") }),
    summary: value("summary"),
  };
}

export function bodyOfText(text: string): string {
  return text.replace(FRONT_MATTER, "").replace(/^<!-- trimtab: .*-->\s*$/m, "");
}

/** Reads a YAML scalar: a JSON string, or plain text with an optional comment. */
function scalarOf(raw = ""): string {
  const text = raw.trim();
  const [quoted] = /^"(?:[^"\\]|\\.)*"/.exec(text) ?? [];
  if (quoted === undefined) return text.replace(/(?:^|\s)#.*$/, "").replace(/^(?:~|null)$/, "");
  return quoted.slice(1, -1).replaceAll(/\\(["\\])/g, "$1");
}
