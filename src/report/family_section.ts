import { grouped } from "../inject/bound.ts";
import { countMembers, type FamilyMember } from "./family.ts";
import { type Cell, chartSection, numbers } from "./markup.ts";
import { minuteOf, shortId } from "./words.ts";

export function familySection(
  families: readonly FamilyMember[],
  of: "session" | "project",
): string {
  const count = families.reduce((sum, family) => sum + countMembers(family), 0);
  const isAlone = of === "session" && count < 2;
  return chartSection({
    id: "family",
    title: "Lineage",
    lead: "The origin of each session: a trim, a rollover, a compaction or a clear.",
    label: `A tree of ${grouped(count)} sessions.`,
    empty: count === 0 || isAlone ? "Earlier and later sessions are not known." : null,
    tables: [{
      caption: "Sessions and their origin",
      columns: [
        "Session",
        "Id",
        "Came from",
        "Started",
        "Ended by",
        ...numbers("Window at the end"),
      ],
      rows: families.flatMap((family) => familyRows(family, null)),
    }],
  });
}

function familyRows(member: FamilyMember, parent: string | null): Cell[][] {
  const { session_id: id, context_at_end: percent } = member;
  return [
    [
      `${member.name}${member.is_this ? " (this one)" : ""}`,
      id === null ? null : shortId(id),
      parent === null ? null : shortId(parent),
      minuteOf(member.started_at),
      member.end_reason,
      percent === null ? null : `${grouped(percent)}%`,
    ],
    ...member.children.flatMap((child) => familyRows(child, id)),
  ];
}
