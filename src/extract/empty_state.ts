import type { WorkState } from "../core/work_state.ts";

export function emptyState(partial = ""): WorkState {
  return {
    session_id: null,
    requirements: [],
    changes: [],
    commits: [],
    decisions: [],
    issues: [],
    next_steps: [],
    learnings: [],
    progress: { recent: [], tools: [], files_read: [], summaries: [] },
    partial,
  };
}
