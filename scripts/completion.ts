/** `trimtab completion SHELL`: prints shell completion for trimtab's commands. */

import { command, type CommandOutput } from "../cli/command.ts";
import { COMPLETION_SHELLS, completionScript } from "../cli/completion.ts";
import { loadSpecs } from "../cli/load_specs.ts";
import { type Arguments, type CommandSpec, UsageError } from "../cli/spec.ts";

export const COMPLETION_SPEC: CommandSpec = {
  name: "completion",
  summary: "Print shell completion for trimtab's commands.",
  positionals: "SHELL",
  options: [],
  notes: [
    `SHELL is one of ${COMPLETION_SHELLS.join(", ")}. For bash and zsh: put`,
    'eval "$(trimtab completion SHELL)" into .bashrc, or after compinit in .zshrc. For fish:',
    "trimtab completion fish > ~/.config/fish/completions/trimtab.fish",
  ],
};

export const run = command(COMPLETION_SPEC, completion);

async function completion(args: Arguments): Promise<CommandOutput> {
  const [wanted] = args.positionals;
  const shell = COMPLETION_SHELLS.find((name) => name === wanted);
  if (shell === undefined) {
    const names = COMPLETION_SHELLS.join(", ");
    throw new UsageError(`Cannot complete for ${JSON.stringify(wanted)}: the shells are ${names}`);
  }
  const { COMMANDS } = await import("./trimtab.ts");
  const text = completionScript(shell, await loadSpecs(COMMANDS));
  return { json: { shell, text }, text: text.trimEnd() };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
