# Sourced by the launcher: finds Deno, or explains how to install it and exits.
# shellcheck shell=sh disable=SC2034,SC2154
deno=
on_path=
rest=$PATH:
while [ -n "$rest" ]; do
  folder=${rest%%:*}
  rest=${rest#*:}
  if [ -x "$folder/deno" ] && [ ! -d "$folder/deno" ]; then
    on_path=$folder/deno
    break
  fi
done
for place in "${TRIMTAB_DENO-}" "$on_path" \
  "${DENO_INSTALL:-${HOME-}/.deno}/bin/deno" \
  /usr/local/bin/deno /opt/homebrew/bin/deno "${HOME-}/.local/bin/deno"; do
  # A relative path would name a program of the project in the current folder.
  case $place in /* | [A-Za-z]:*) ;; *) continue ;; esac
  if [ -x "$place" ]; then
    deno=$place
    break
  fi
done
if [ -z "$deno" ]; then . "$root/bin/parts/no_deno.sh"; fi
