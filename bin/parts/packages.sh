# Sourced at a session's start: fetches what commands import from npm, if it is missing, so that
# a command that is typed later needs no network. Nobody waits for it, and nothing is said or left
# where it fails: a command that needs a package then says so. TRIMTAB_NO_FETCH switches it off.
# shellcheck shell=sh disable=SC2154
is_cached=1
for package in deno-std/1.4.0; do
  found=
  # Between the two stands the registry, which may be another than npm's own.
  for folder in "$cache"/npm/*/"$package"; do
    if [ -d "$folder" ]; then found=1; fi
  done
  [ -n "$found" ] || is_cached=
done
if [ -z "$is_cached${TRIMTAB_NO_FETCH-}" ]; then
  # By its own configuration: this may run in the folder of another project of Deno or npm.
  "$deno" cache --quiet "--config=$root/deno.json" "--lock=$root/bin/commands.lock" \
    "$root/scripts/trimtab.ts" </dev/null >/dev/null 2>&1 &
fi
