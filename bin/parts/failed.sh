# Sourced when Deno failed. A Deno that is too old only reports an unknown flag, so this explains what
# to do. The version is read only now, because each process costs as much as loading a module.
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
