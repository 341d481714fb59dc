/** The fields of payloads that differ between events, by the name of the hook. */
export const PAYLOADS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  session_start: ["startup", "clear", "compact", "fork", "resume"].map((source) => ({ source })),
  session_end: [{ reason: "clear" }, { reason: "other" }],
  user_prompt_submit: [{ prompt: "go on" }],
  post_tool_batch: [{ tool_calls: [{ tool_use_id: "toolu_x4" }] }, { tool_calls: [] }],
  post_tool_use: [{
    ...{ tool_name: "Bash", tool_use_id: "toolu_x4", tool_input: { command: "ls" } },
    tool_response: { stdout: "x\n".repeat(400), stderr: "", interrupted: false, isImage: false },
  }],
  stop: [{ stop_hook_active: false }],
  pre_compact: [{ trigger: "auto", custom_instructions: "" }],
  user_prompt_expansion: [
    { command_name: "trimtab:trim", command_args: "--keep-recent 0 --dry-run" },
    { command_name: "trimtab:trim", command_args: "--json 'x y" },
    { command_name: "trimtab:fresh-start", command_args: "latest" },
  ],
};
