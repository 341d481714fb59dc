# Sourced where Deno ended with an error: one that is too old says what it does not know, which tells
# nobody what to do. Its version is asked for only now, since each process costs as much as a module.
# shellcheck shell=sh disable=SC2154
old=$("$deno" --version 2>/dev/null)
old=${old#deno }
old=${old%%[!0-9.]*}
case $old in
  [01].* | 2.[0-6] | 2.[0-6].*) . "$root/bin/parts/no_deno.sh" ;;
esac
if [ -n "$is_skill" ]; then
  echo "trimtab could not be started. See the message from Deno above."
  exit 0
fi
