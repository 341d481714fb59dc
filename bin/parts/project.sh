# Sourced by the launcher if CLAUDE_PROJECT_DIR is not set, as in a shell: finds the project by the rules
# of findProjectDir() and exports it, so that permissions and the command name the same folder.
# shellcheck shell=sh disable=SC2154

# Prints the folder in which a session started, which is the first `cwd` of its entries.
started_in() {
  awk '
    match($0, /"cwd": *"/) {
      for (at = RSTART + RLENGTH; at <= length($0); at++) {
        letter = substr($0, at, 1)
        if (letter == "\"") { print folder; exit }
        if (letter == "\\") letter = substr($0, ++at, 1)
        folder = folder letter
      }
      exit
    }
    NR == 100 { exit }
  ' "$1" 2>/dev/null
}

here=$(pwd -P)
# The session in the arguments, else the session that the command runs in.
current=${CLAUDE_CODE_SESSION_ID-}
session=$current
hex='[0-9a-fA-F]'
before=
for argument in "$@"; do
  case $before:$argument in
    -o:* | --output:*) ;;
    *:????????-????-????-????-???????????? | *:$hex$hex$hex$hex$hex$hex$hex$hex)
      session=$argument
      break
      ;;
    *:"$config"/projects/*/*.jsonl)
      session=${argument##*/}
      session=${session%.jsonl}
      break
      ;;
  esac
  before=$argument
done

start=
case $session in
  *[!0-9a-fA-F-]*) ;;
  ?*)
    for file in "$config"/projects/*/"$session"*.jsonl; do
      if [ -f "$file" ]; then
        start=$(started_in "$file")
        break
      fi
    done
    # The current session has no transcript until its first prompt, so it started here.
    if [ ! -f "$file" ] && [ "$session" = "$current" ]; then start=$here; fi
    ;;
  *)
    # Matches the client's folder for sessions that started here.
    pattern=$(printf '%s' "$here" | LC_ALL=C sed -e 's/[^ -~]\{1,\}/*/g' \
      -e 's/[^A-Za-z0-9*]/-/g' -e 's/^\(.\{150\}\).\{51,\}$/\1*/' 2>/dev/null)
    tries=20
    for file in "$config"/projects/$pattern/*.jsonl; do
      if [ "$tries" = 0 ] || [ ! -f "$file" ]; then break; fi
      tries=$((tries - 1))
      if [ "$(started_in "$file")" = "$here" ]; then
        start=$here
        break
      fi
    done
    ;;
esac

CLAUDE_PROJECT_DIR=$here
if [ -n "$start" ] && [ -d "$start" ]; then
  CLAUDE_PROJECT_DIR=$start
else
  # Takes the nearest parent with a .claude/trimtab folder of this user, but not the folder of the
  # configuration, not the root, and nothing above the repository.
  folder=$here
  while [ -n "$folder" ]; do
    if [ "$folder/.claude" != "$config" ] && [ -d "$folder/.claude/trimtab" ] &&
      [ -O "$folder/.claude/trimtab" ]; then
      CLAUDE_PROJECT_DIR=$folder
      break
    fi
    [ ! -e "$folder/.git" ] || break
    folder=${folder%/*}
  done
fi
export CLAUDE_PROJECT_DIR
