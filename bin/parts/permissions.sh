# Made from cli/permissions.ts by `deno task reference`; sourced by the launcher.
# shellcheck shell=sh disable=SC2034
case $command in
  status) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,COLUMNS,HOME,USERPROFILE' ;;
  trim) perms='--allow-read --allow-write=CONFIG/file-history,CONFIG/projects,CONFIG/tasks,PROJECT/.claude/trimtab --allow-run=episodic-memory --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,PATH,USERPROFILE,WORK_WORKER_ID' ;;
  show) perms='--allow-read --allow-env=CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  search) perms='--allow-read --allow-env=CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  prompt) perms='--allow-read --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  'hook user-prompt-expansion') perms='--allow-read --allow-write=CONFIG/file-history,CONFIG/projects,CONFIG/tasks,PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE,WORK_WORKER_ID' ;;
  statusline) perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/trimtab --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,COLUMNS,HOME,NO_COLOR,USERPROFILE' ;;
  'hook user-prompt-submit') perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/trimtab --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  'hook post-tool-batch') perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/trimtab --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  checkpoint) perms='--allow-read --allow-write=PROJECT/.claude/checkpoints,PROJECT/.claude/runtime/context-snapshots,PROJECT/.claude/trimtab,CONFIG/trimtab/checkpoints,CONFIG/trimtab/ours --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  verify) perms='--allow-read --allow-write=CONFIG/trimtab/checkpoints --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  restore) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  snapshot) perms='--allow-read --allow-write=PROJECT/.claude/runtime/context-snapshots,PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  rehydrate) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  list) perms='--allow-read --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  fresh-start) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  batch) perms='--allow-read --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  watch) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  'hook post-tool-use') perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/trimtab --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  live) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  'hook pre-compact') perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/checkpoints,PROJECT/.claude/runtime/context-snapshots,PROJECT/.claude/trimtab,CONFIG/trimtab/checkpoints,CONFIG/trimtab/ours --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  'hook session-start') perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/trimtab --allow-env=CLAUDE_CODE_ENTRYPOINT,CLAUDE_CONFIG_DIR,CLAUDE_PID,CLAUDE_PROJECT_DIR,HOME,USERPROFILE,WORK_WORKER_ID' ;;
  'hook session-end') perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/trimtab --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CONFIG_DIR,CLAUDE_PID,CLAUDE_PROJECT_DIR,HOME,USERPROFILE,WORK_WORKER_ID' ;;
  'hook stop') perms='--allow-read=CONFIG,PROJECT --allow-write=PROJECT/.claude/checkpoints,PROJECT/.claude/runtime/context-snapshots,PROJECT/.claude/trimtab,CONFIG/trimtab/checkpoints,CONFIG/trimtab/ours --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  rollover) perms='--allow-read --allow-write=PROJECT/.claude/checkpoints,PROJECT/.claude/runtime/context-snapshots,PROJECT/.claude/trimtab,CONFIG/trimtab/checkpoints,CONFIG/trimtab/ours --allow-run=episodic-memory --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,PATH,USERPROFILE,WORK_WORKER_ID' ;;
  report) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,OUTPUT --allow-run=explorer,open,xdg-open --allow-env=CLAUDE_CODE_DISABLE_1M_CONTEXT,CLAUDE_CODE_MAX_CONTEXT_TOKENS,CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  rescue) perms='--allow-read --allow-write=CONFIG/file-history,CONFIG/projects,CONFIG/tasks,PROJECT/.claude/trimtab --allow-env=CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  sessions) perms='--allow-read --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  install) perms='--allow-read --allow-write --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,TRIMTAB_ROOT,USERPROFILE' ;;
  doctor) perms='--allow-read --allow-write=PROJECT/.claude,CONFIG/file-history,CONFIG/projects,CONFIG/tasks,CONFIG/trimtab --allow-sys=uid --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PLUGIN_DATA,CLAUDE_PROJECT_DIR,DENO_DIR,DENO_EMIT_CACHE_MODE,DENO_INSTALL,HOME,PATH,TRIMTAB_DENO,TRIMTAB_ROOT,USERPROFILE,XDG_CACHE_HOME' ;;
  completion) perms='--allow-read' ;;
  trust) perms='--allow-read --allow-write=PROJECT/.claude/trimtab,CONFIG/trimtab/ours --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  clean) perms='--allow-read --allow-write=PROJECT/.claude,CONFIG/file-history,CONFIG/projects,CONFIG/tasks,CONFIG/trimtab --allow-env=CLAUDE_CONFIG_DIR,CLAUDE_PROJECT_DIR,HOME,USERPROFILE' ;;
  *) perms= ;;
esac
