/** Describes each command in one line, in the groups and the order of `trimtab --help`. */

type Group = Readonly<Record<string, string>>;

export const GROUPS: Readonly<Record<string, Group>> = {
  "Most used": {
    status: "Show how full a session's window is, and what to do.",
    trim: "Write a smaller copy of a session under a new id.",
    rollover: "End a session and leave a handoff for the next one.",
    restore: "Print a checkpoint, snapshot or handoff to continue from.",
    report: "Write a page on what fills a session's window, and its cost.",
  },
  "Save and restore": {
    checkpoint: "Save what a session was doing as a checkpoint.",
    snapshot: "Save what a session was doing as a snapshot.",
    list: "List this project's checkpoints, snapshots and handoffs.",
    rehydrate: "Print a snapshot at a chosen level of detail.",
    "fresh-start": "Print a snapshot as the first prompt of a fresh session.",
    verify: "Check that a checkpoint exists and is complete.",
  },
  "Sessions": {
    sessions: "List sessions, each below the one that it continues.",
    search: "Find text in this and earlier sessions.",
    show: "Print one entry of a session in full.",
    keep: "Keep a session's transcript after Claude Code deletes it.",
    watch: "Watch running sessions, and ask for checkpoints.",
    rescue: "Write a repaired copy of a session that no longer resumes.",
  },
  "Plan": {
    batch: "Split tasks to fit the window, with checkpoints in between.",
    prompt: "Print a section on context management, or a worker's prompt.",
  },
  "Set up and maintain": {
    live: "Switch the shaping of long outputs, and show its savings.",
    install: "Install without the plugin system, or only the status line.",
    doctor: "Check trimtab and what it depends on, and repair with --fix.",
    trust: "Accept this project's configuration files as they are now.",
    clean: "Show files that are no longer needed; --apply deletes them.",
    statusline: "Print the status line from the client's JSON on stdin.",
  },
};

export function summaryOf(command: string): string {
  const group = Object.values(GROUPS).find((commands) => Object.hasOwn(commands, command));
  return group?.[command] ?? "";
}
