/** Sessions that the real client makes without a terminal. */

import { makePng } from "../bed/image.ts";
import { PROMPT_TOO_LONG } from "../bed/mock_api.ts";
import type { GoldenSession } from "./bench.ts";
import { bash, call, contextHook, LONG, printingHook, say, think } from "./script.ts";

const AGENT = { description: "look", prompt: "find it", subagent_type: "general-purpose" };

const SESSIONS: GoldenSession[] = [
  {
    name: "a plain session that is resumed, forked and resumed again",
    evidence: [/Say hello[^]*The next prompt[^]*The next prompt/],
    turns: () => ["Hello to you.", [say("I look."), bash("echo looked")], "Looked.", "Forked."],
    make: async (bench) => {
      await bench.say("Say hello.");
      await bench.resume();
      const original = bench.sessionId;
      await bench.resume(["--fork-session"]);
      if (bench.sessionId === original) {
        throw new Error("Cannot fork: the forked session has the same id");
      }
    },
  },
  {
    name: "tools in sequence and in parallel, results out of order, thinking, agents",
    evidence: [
      /"content":"quick"[^]*"content":"middling"[^]*"content":"slow"/,
      /"type":"thinking"/,
      /"content":"Exit code 3/,
      /"text":"Async agent launched/,
    ],
    agentWords: `The agent found it. ${LONG}`,
    turns: (cwd) => [
      [think("First I look."), say("I look."), bash("echo one; echo two")],
      [call("Write", { file_path: `${cwd}/notes.txt`, content: "first\nneedle\n" })],
      [think("Now read."), call("Read", { file_path: `${cwd}/notes.txt` })],
      [call("Edit", { file_path: `${cwd}/notes.txt`, old_string: "first", new_string: "1st" })],
      [call("Grep", { pattern: "needle", path: cwd, output_mode: "content" })],
      [call("Glob", { pattern: "*.txt", path: cwd })],
      [bash("echo failing; exit 3")],
      [call("Read", { file_path: `${cwd}/missing.txt` })],
      [call("NoSuchTool", { x: 1 })],
      [call("Agent", AGENT)],
      [call("Task", AGENT), bash("true")],
      [
        think("Three at once."),
        say("Three at once."),
        // Far enough apart to keep their order on a busy machine.
        bash("sleep 3; echo slow"),
        bash("echo quick"),
        bash("sleep 1.5; echo middling"),
      ],
      [bash("sleep 1; echo slow again"), bash("echo quick again")],
      [think("All is done."), say("All done.")],
    ],
    make: (bench) => bench.say("Use every tool."),
  },
  {
    name: "large outputs moved to tool-results/, images",
    evidence: [/<persisted-output>.{0,200}tool-results/, /"type":"image"/],
    turns: (cwd) => [
      [bash("seq 1 12000")],
      [bash("seq 1 9000 > numbers.txt; yes 'a needle in a long line' | head -2000 > hay.txt")],
      [call("Grep", { pattern: "needle", path: cwd, output_mode: "content", head_limit: 0 })],
      [call("Read", { file_path: `${cwd}/numbers.txt` })],
      [bash("seq 1 20000; exit 3")],
      [call("Read", { file_path: `${cwd}/one.png` })],
      [call("Read", { file_path: `${cwd}/two.png` }), bash("echo beside an image")],
      "Seen.",
    ],
    make: async (bench) => {
      Deno.writeFileSync(`${bench.home.cwd}/one.png`, await makePng(40, 20));
      Deno.writeFileSync(`${bench.home.cwd}/two.png`, await makePng(400, 200));
      await bench.say("Look at much.");
    },
  },
  {
    name: "hooks that add context, print and block",
    evidence: [
      /hook_additional_context/,
      /hook_success/,
      /hook_blocking_error/,
      /"content":"PreToolUse:Write hook error/,
    ],
    settings: {
      hooks: {
        SessionStart: [
          contextHook("SessionStart", `From the start: ${LONG}`),
          printingHook("echo printed at the start"),
        ],
        UserPromptSubmit: [
          contextHook("UserPromptSubmit", `With the prompt: ${LONG}`),
          printingHook("echo printed with the prompt"),
        ],
        PreToolUse: [{ matcher: "Write", ...printingHook("echo not today >&2; exit 2") }],
        PostToolUse: [
          { matcher: "Bash", ...contextHook("PostToolUse", `After a tool: ${LONG}`) },
          { matcher: "Glob", ...printingHook("echo look again >&2; exit 2") },
        ],
      },
    },
    turns: (cwd) => [
      [bash("echo one")],
      [bash("echo two; sleep 1"), bash("echo three")],
      [call("Write", { file_path: `${cwd}/x`, content: "x" })],
      [call("Glob", { pattern: "*" })],
      "Heard.",
    ],
    make: async (bench) => {
      await bench.say("Listen.");
      await bench.resume();
    },
  },
  {
    name: "automatic compaction, in the middle of a turn",
    evidence: [/"trigger":"auto".*"preservedMessages"/],
    turns: () => [
      [say("Before."), bash("echo one")],
      [bash("sleep 1; echo two"), bash("echo three")],
      { error: PROMPT_TOO_LONG },
      [bash("echo four")],
      "After.",
    ],
    make: (bench) => bench.say("A long story."),
  },
  {
    name: "manual compaction, then an automatic compaction",
    evidence: [/"trigger":"manual".*"preservedMessages"[^]*"trigger":"auto"/],
    turns: () => [
      "One.",
      [bash("echo two")],
      "Two.",
      "Three.",
      [bash("echo four")],
      { error: PROMPT_TOO_LONG },
      "Four.",
    ],
    make: async (bench) => {
      await bench.say("First.");
      await bench.say("Second.");
      await bench.say("/compact keep the numbers");
      await bench.resume();
      await bench.say("Fourth.");
    },
  },
  {
    name: "commands, local commands, skills, mentioned files, an API error",
    evidence: [
      /<command-name>\/count</,
      /"subtype":"local_command"/,
      /"isApiErrorMessage":true/,
      /Base directory for this skill/,
      /"type":"file"/,
    ],
    turns: () => [
      "Counted.",
      "Gone on.",
      [call("Skill", { skill: "greet", args: "x y" })],
      "Greeted.",
    ],
    make: async (bench) => {
      const config = `${bench.home.cwd}/.claude`;
      Deno.mkdirSync(`${config}/commands`, { recursive: true });
      Deno.mkdirSync(`${config}/skills/greet`, { recursive: true });
      Deno.writeTextFileSync(`${config}/commands/count.md`, `Count $ARGUMENTS. ${LONG}\n`);
      const head = "---\nname: greet\ndescription: When somebody is to be greeted\n---\n";
      Deno.writeTextFileSync(`${config}/skills/greet/SKILL.md`, `${head}Greet $ARGUMENTS. ${LONG}`);
      Deno.writeTextFileSync(`${bench.home.cwd}/notes.txt`, `first\n${LONG}\nlast\n`);
      await bench.say("/count one two");
      await bench.sayRefused("This is refused.");
      await bench.say("/cost");
      await bench.resume();
      await bench.say("Use the skill on @notes.txt please.");
    },
  },
];

/** Sessions that also run with an older model, which receives reminders inside prompts and results. */
const OLDER_MODEL_SESSIONS = [
  "tools in sequence and in parallel, results out of order, thinking, agents",
  "hooks that add context, print and block",
  "commands, local commands, skills, mentioned files, an API error",
];

export const HEADLESS_SESSIONS: GoldenSession[] = [
  ...SESSIONS,
  ...SESSIONS.filter(({ name }) => OLDER_MODEL_SESSIONS.includes(name))
    .map((session) => ({
      ...session,
      name: `${session.name}, with an older model`,
      usesSmallModel: true,
    })),
];
