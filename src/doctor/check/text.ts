import { counted } from "../../inject/bound.ts";
import type { DoctorFinding, DoctorReport } from "./doctor.ts";
import { FINDING_KINDS } from "./finding_kinds.ts";

const MAX_SHOWN = 5;

export function describeReport(report: DoctorReport, isFixing: boolean): string {
  const { version, project, findings, checks } = report;
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  const checkLines = checks.map(({ name, level, note }) =>
    `  ${level === null || level === "info" ? "ok" : "! "}  ${name.padEnd(width)}  ${note}`
  );
  const fixable = findings.filter((finding) => finding.fixable).length;
  const kinds = Map.groupBy(findings, ({ id, fixed }) => `${id} ${fixed === true}`);
  return [
    `trimtab ${version} in ${project}: ${summaryOf(findings)}`,
    ...checkLines,
    ...[...kinds.values()].flatMap(describeKind),
    ...(isFixing || fixable === 0 ? [] : ["", `trimtab doctor --fix fixes ${fixable} of these.`]),
  ].join("\n");
}

function summaryOf(findings: readonly DoctorFinding[]): string {
  const open = findings.filter(({ fixed }) => fixed !== true);
  const fixed = findings.length - open.length;
  const done = fixed === 0 ? "" : `; ${fixed} repaired`;
  const parts = (["error", "warning", "info"] as const).flatMap((level) => {
    const count = open.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [counted(count, level === "info" ? "note" : level)];
  });
  return `${parts.length === 0 ? "nothing is wrong" : parts.join(", ")}${done}.`;
}

function describeKind(findings: readonly DoctorFinding[]): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { title, meaning, fix } = FINDING_KINDS[first.id];
  const isDone = first.fixed === true;
  const shown = findings.slice(0, MAX_SHOWN).flatMap(({ subject, problem }) => [
    `  ${oneLine(subject)}`,
    `    ${isDone ? "Fixed: " : ""}${oneLine(problem)}`,
  ]);
  if (findings.length > MAX_SHOWN) shown.push(`  and ${findings.length - MAX_SHOWN} more`);
  const fixText = findings.length === 1 ? first.fix : fix;
  return [
    "",
    `${isDone ? "fixed" : first.level}: ${title} (${first.id})`,
    ...shown,
    ...(isDone ? [] : [`  ${meaning}`, `  To do: ${oneLine(fixText)}`]),
  ];
}

/** Removes line breaks, so that a file name cannot imitate another finding. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]+/g, " ");
}
