/**
 * Records the README's animation: the real client in a terminal, against a mock API.
 *
 *     deno task picture
 *
 * Needs tmux. The session is made up. The client and all of trimtab's output are real.
 */

import { PLUGIN } from "../tests/plugin_copy.ts";
import { newHome } from "../tests/e2e/bed/home.ts";
import { startMock, type TurnLike } from "../tests/e2e/bed/mock_api.ts";
import { openTerminal } from "../tests/e2e/bed/terminal.ts";
import { type Frame, terminalSvg } from "./terminal_svg.ts";

const OUTPUT = new URL("../docs/trimtab.svg", import.meta.url);
const SIZE = [96, 26] as const;
const PAGES = 40;
const TITLE =
  "Claude Code: a long session is trimmed in place and continues, and a compaction is undone";

/**
 * `result` matches the screen after the turn. The two `seconds` are how long the typed words and the result
 * are shown.
 */
const PROMPTS = [
  {
    words: "read the parts and say how they add up",
    result: /All 40 parts add up[^]*⚠ trimtab: context/,
    seconds: [1.5, 2.5],
  },
  { words: "/trim", result: /[Tt]rimmed in place/, seconds: [1.5, 4] },
  { words: "go on", result: /Moved: every part/, seconds: [1, 3] },
  { words: "/compact", result: /undoes this compaction/, seconds: [1, 2.5] },
  { words: "/trim --undo", result: /compaction undone/, seconds: [1.5, 4] },
] as const;

function longTurns(cwd: string): TurnLike[] {
  const reads = Array.from({ length: PAGES }, (_, page): TurnLike => {
    const path = `${cwd}/src/part_${page}.ts`;
    const lines = Array.from(
      { length: 800 },
      (_, n) => `  const total_${page}_${n} = addUp(rows.slice(${n}, ${n + 9}), "part ${page}");`,
    );
    Deno.writeTextFileSync(path, lines.join("\n"));
    return [{ type: "tool_use", name: "Read", input: { file_path: path } }];
  });
  const paths = Array.from({ length: PAGES }, (_, page) => `src/part_${page}.ts`);
  // Mentions the files, because a trim keeps the content of files that no later call mentions.
  const countTurn: TurnLike = [
    { type: "tool_use", name: "Bash", input: { command: `wc -l ${paths.join(" ")}` } },
  ];
  return [
    // The count comes before the warning, so that the warning announces about as much as the trim frees.
    ...reads.toSpliced(PAGES - 3, 0, countTurn),
    "All 40 parts add up the same way. Next I move addUp() into one place and call it from each part.",
    "Moved: every part calls addUp() from src/add_up.ts now.",
  ];
}

async function record(): Promise<Frame[]> {
  using home = newHome();
  Deno.mkdirSync(`${home.cwd}/src`);
  await using mock = startMock({ turns: longTurns(home.cwd) });
  const options = { home, mock, pluginDir: PLUGIN, size: SIZE };
  await using terminal = await openTerminal(options);
  const frames: Frame[] = [];
  const capture = async (seconds: number): Promise<void> => {
    frames.push({ screen: await terminal.colours(), seconds });
  };
  for (const { words, result, seconds } of PROMPTS) {
    await terminal.type(words);
    await terminal.see(new RegExp(`❯\\s${RegExp.escape(words)}`));
    await capture(seconds[0]);
    await terminal.press("Enter");
    await terminal.see(result);
    await capture(seconds[1]);
  }
  return frames;
}

if (import.meta.main) {
  const svg = terminalSvg(await record(), TITLE);
  Deno.writeTextFileSync(OUTPUT, svg);
  console.log(`Wrote ${decodeURIComponent(OUTPUT.pathname)}: ${Math.round(svg.length / 1000)} kB.`);
}
