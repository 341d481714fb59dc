/** Generates shell completion from the specs of the commands. */

import { type CommandSpec, COMMON_OPTIONS, type OptionSpec } from "./spec.ts";

export const COMPLETION_SHELLS = ["bash", "zsh", "fish"] as const;

export type CompletionShell = typeof COMPLETION_SHELLS[number];

const WRITERS: Readonly<Record<CompletionShell, (specs: readonly CommandSpec[]) => string>> = {
  bash,
  zsh,
  fish,
};

export function completionScript(shell: CompletionShell, specs: readonly CommandSpec[]): string {
  return WRITERS[shell](specs);
}

function bash(specs: readonly CommandSpec[]): string {
  const commands = specs.map(({ name }) => name).join(" ");
  const values = specs.flatMap((spec) =>
    optionsOf(spec).flatMap(({ name, choices }) =>
      choices === undefined ? [] : [`    ${spec.name}:--${name}) words='${choices.join(" ")}' ;;`]
    )
  );
  const options = specs.map((spec) => `    ${spec.name}) words='${flagsOf(spec).join(" ")}' ;;`);
  return `# trimtab: completion for bash
_trimtab() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands} --help --version'
  else
    case \${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD-1]} in
${values.map((line) => `  ${line}`).join("\n")}
    esac
    [ -n "$words" ] || case \${COMP_WORDS[1]} in
${options.map((line) => `  ${line}`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _trimtab trimtab
`;
}

function zsh(specs: readonly CommandSpec[]): string {
  const commands = specs.map(({ name, summary }) => `    ${single(`${name}:${summary}`)}`);
  const cases = specs.map((spec) => {
    const lines = optionsOf(spec).map((option) => `      ${single(zshOption(option))} \\`);
    return `    ${spec.name})\n      _arguments \\\n${lines.join("\n")}\n      '*:file:_files' ;;`;
  });
  return `#compdef trimtab
# trimtab: completion for zsh
_trimtab() {
  local -a commands
  commands=(
${commands.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _trimtab trimtab
`;
}

function zshOption({ name, type, value = "value", choices, help }: OptionSpec): string {
  const again = type === "list" ? "*" : "";
  const taken = type === "flag"
    ? ""
    : `:${value.replaceAll(/[:|]/g, " ")}:${
      choices === undefined ? "_files" : `(${choices.join(" ")})`
    }`;
  return `${again}--${name}[${help.replaceAll(/[[\]:\\]/g, "\\$&")}]${taken}`;
}

function fish(specs: readonly CommandSpec[]): string {
  const names = specs.map(({ name }) => name).join(" ");
  const none = `not __fish_seen_subcommand_from ${names}`;
  const lines = specs.flatMap((spec) => [
    `complete -c trimtab -f -n ${single(none)} -a ${spec.name} -d ${fishText(spec.summary)}`,
    ...optionsOf(spec).map(({ name, type, choices, help }) =>
      `complete -c trimtab -n '__fish_seen_subcommand_from ${spec.name}' -l ${name}` +
      `${type === "flag" ? "" : " -r"}` +
      `${choices === undefined ? "" : ` -a ${single(choices.join(" "))}`} -d ${fishText(help)}`
    ),
  ]);
  return `# trimtab: completion for fish\n${lines.join("\n")}\n`;
}

/** Omits `--skill`, and the options that only `/trim` in place accepts. */
function optionsOf(spec: CommandSpec): OptionSpec[] {
  const shown = spec.options.filter(({ isInPlace }) => isInPlace !== true);
  return [...shown, ...COMMON_OPTIONS.filter(({ name }) => name !== "skill")];
}

function flagsOf(spec: CommandSpec): string[] {
  return optionsOf(spec).map(({ name }) => `--${name}`);
}

/** Quotes a string for a POSIX shell or zsh. */
function single(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes a string for fish, where a backslash escapes a quote. */
function fishText(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
