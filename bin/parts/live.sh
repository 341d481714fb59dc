# Sourced for the hook that runs after every tool call. Nothing is started for it unless a file of the
# configuration has lines that can switch it on; whether they do, the hook finds out.
# shellcheck shell=sh
wanted=
for file in "${CLAUDE_CONFIG_DIR:-${HOME:-${USERPROFILE-}}/.claude}/trimtab.toml" \
  "$CLAUDE_PROJECT_DIR/.claude/trimtab.toml"; do
  [ -f "$file" ] && [ -r "$file" ] || continue
  table=
  value=
  lines=1000
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      *live*) table=1 ;;
    esac
    case $line in
      *true*) value=1 ;;
    esac
    lines=$((lines - 1))
    if [ "$table$value" = 11 ] || [ "$lines" = 0 ]; then
      wanted=1
      break
    fi
  done <"$file"
done
[ -n "$wanted" ] || exit 0
