import type { LiveConfig } from "../src/config/schema.ts";
import { type LiveStats, type LiveTotals, readLiveStats } from "../src/live/live_log.ts";
import { unshapedNames } from "../src/live/responses.ts";
import { counted, grouped } from "../src/inject/bound.ts";
import { command } from "../cli/command.ts";
import { readConfig } from "../src/config/read_config.ts";
import { waitingLines } from "../src/verbs/config.ts";
import { locateProject, type ProjectPlace } from "../src/verbs/place.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "live",
  options: [
    flag("on", "shape long outputs before the model sees them"),
    flag("off", "pass long outputs through unchanged"),
    flag("project", "with --on or --off: in this project only"),
  ],
  exclusive: [["on", "off"]],
  needs: { project: ["on", "off"] },
  notes: [
    "--on and --off set [live] enabled in trimtab.toml of Claude Code's folder, or with --project in",
    ".claude/trimtab.toml of this project. --on also trusts that file.",
  ],
};

export const run = command(SPEC, async ({ on = false, off = false, project = false }) => {
  const isSwitch = on || off;
  const place = locateProject();
  const done = isSwitch ? await setLive(on, place, project) : null;
  const { live, waiting } = await readConfig(place);
  const stats = readLiveStats(place.projectDir);
  const state = [
    ...done?.lines ?? [],
    ...(isSwitch ? [] : [stateText(live)]),
    ...waitingLines(waiting.filter(({ key }) => key.startsWith("live."))),
  ];
  const json = { enabled: live.enabled, waiting, ...done?.json, ...stats };
  return { json, text: [...state, ...(isSwitch ? [] : [statsText(stats)])].join("\n") };
});

async function setLive(
  isOn: boolean,
  place: ProjectPlace,
  isProject: boolean,
): Promise<{ json: Record<string, unknown>; lines: string[] }> {
  const { switchLive } = await import("../src/config/live_switch.ts");
  const { loadContextConfig } = await import("../src/config/load.ts");
  const switched = switchLive(isOn, place, isProject ? "project" : "user");
  const { file, isChanged, isNewlyTrusted } = switched;
  const { live, sources } = loadContextConfig(place);
  const [word, other] = isOn ? ["on", "off"] : ["off", "on"];
  const where = isProject ? "this project" : "all projects";
  const again = `trimtab live --${other}${isProject ? " --project" : ""}`;
  const lines = isChanged || isNewlyTrusted
    ? [
      `Live shaping is ${word} for ${where}: live.enabled = ${isOn} in ${file}.`,
      ...(isNewlyTrusted ? ["The file is now trusted in its current form."] : []),
      `It takes effect at the next tool call. To undo it: ${again}`,
    ]
    : [`Live shaping was already ${word}: nothing changed in ${file}.`];
  if (live.enabled !== isOn) {
    const { layer, from } = sources.live.enabled;
    const fix = `trimtab live --${word}${layer === "project" ? " --project" : ""}`;
    lines.push(`In this project it is still ${other}: ${from} sets it. To change it: ${fix}`);
  } else if (isOn) lines.push(stateText(live));
  return { json: { file, changed: isChanged, trusted: isNewlyTrusted }, lines };
}

function stateText({ enabled, max_chars, tools }: LiveConfig): string {
  if (!enabled) {
    return "Long outputs reach the model unshaped. `trimtab live --on` shapes them in all projects, " +
      "`trimtab live --on --project` in this one.";
  }
  const unshaped = unshapedNames(tools);
  const shaped = tools.filter((name) => !unshaped.includes(name));
  const long = `${shaped.join(", ")} over ${grouped(max_chars)} characters`;
  const state = shaped.length === 0
    ? "No outputs are shaped: [live] tools lists no tool whose outputs can be shaped."
    : `Outputs of ${long} are shaped before the model sees them.`;
  if (unshaped.length === 0) return state;
  return `${state}\nNo effect in [live] tools: ${unshaped.join(", ")}.`;
}

function statsText({ totals, by_tool: tools, sessions, since }: LiveStats): string {
  if (since === null) return "trimtab has not shaped any outputs yet.";
  const head = `${totalsText(totals)} in ${counted(sessions, "session")} since ` +
    `${since.slice(0, 10)}.`;
  const width = Math.max(...Object.keys(tools).map((name) => name.length));
  const rows = Object.entries(tools).map(([name, toolTotals]) =>
    `  ${name.padEnd(width)}  ${totalsText(toolTotals)}`
  );
  return [head, "", "By tool:", ...rows].join("\n");
}

function totalsText({ outputs, before_chars, after_chars, saved_percent }: LiveTotals): string {
  return `${counted(outputs, "output")} shaped, ` +
    `${grouped(before_chars)} -> ${grouped(after_chars)} characters (-${saved_percent}%)`;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
