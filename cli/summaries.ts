/** Describes each command in one line, in the groups and the order of `trimtab --help`. */

type Group = Readonly<Record<string, string>>;

export const GROUPS: Readonly<Record<string, Group>> = {
  "Most used": {
    status: "Show how full a session's window is, and what to do about it.",
    trim: "Write a smaller copy of a session under a new id.",
    rollover: "End a session and leave a handoff for the next one.",
    restore: "Print a checkpoint, snapshot or handoff as context to continue from.",
    report: "Write a page on what fills a session's window, and what it cost.",
  },
  "Save and restore": {
    checkpoint: "Save what a session was doing as a checkpoint.",
    snapshot: "Save what a session was doing as a snapshot.",
    list: "List the checkpoints, snapshots and handoffs of this project.",
    rehydrate: "Print a snapshot at a level of detail.",
    "fresh-start": "Print a snapshot as the first prompt of a fresh session.",
    verify: "Check that a checkpoint exists and is complete.",
  },
  "Sessions": {
    sessions: "Show each session of this project below the one it continues.",
    search: "Find text in this and earlier sessions.",
    show: "Print one entry of a session in full.",
    keep: "Keep a session's transcript after Claude Code deletes it.",
    watch: "Watch this project's running sessions, and ask for checkpoints.",
    rescue: "Write a repaired copy of a session that no longer resumes.",
  },
  "Plan": {
    batch: "Split tasks to fit the window, with checkpoints between them.",
    prompt: "Print the section on context management, or a worker's prompt.",
  },
  "Set up and maintain": {
    live: "Turn the shaping of long outputs on or off, and show what it saved.",
    install: "Install trimtab without the plugin system, or add its status line to the plugin.",
    doctor: "Check trimtab and what it depends on, and repair with --fix.",
    trust: "Accept this project's configuration files as they are now.",
    clean: "Show files that trimtab no longer needs; --apply deletes them.",
    statusline: "Print the status line from the client's JSON on stdin.",
  },
};

export function summaryOf(command: string): string {
  const group = Object.values(GROUPS).find((commands) => Object.hasOwn(commands, command));
  return group?.[command] ?? "";
}
