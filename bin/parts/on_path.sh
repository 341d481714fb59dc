# Sourced at the start of a session without the plugin system: puts trimtab on the PATH of skills. The
# client runs the contents of CLAUDE_ENV_FILE before each of their commands.
# shellcheck shell=sh disable=SC2154
rest=$root/bin
dir=
while :; do
  case $rest in
    *\'*)
      dir=$dir${rest%%\'*}"'\\''"
      rest=${rest#*\'}
      ;;
    *) break ;;
  esac
done
dir="'$dir$rest'"
printf '%s\n' "case :\$PATH: in *:$dir:*) ;; *) export PATH=\"\$PATH:\"$dir ;; esac" \
  2>/dev/null >>"$CLAUDE_ENV_FILE"
