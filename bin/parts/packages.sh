# Sourced at the start of a session: fetches missing npm packages of commands in the background, so
# that later commands need no network. A failed fetch is silent, because a command that needs a
# package reports it. TRIMTAB_NO_FETCH disables this.
# shellcheck shell=sh disable=SC2154
is_cached=1
for package in deno-std/1.4.0; do
  found=
  # The folder in between is named after the registry, which may not be npm's own.
  for folder in "$cache"/npm/*/"$package"; do
    if [ -d "$folder" ]; then found=1; fi
  done
  [ -n "$found" ] || is_cached=
done
if [ -z "$is_cached${TRIMTAB_NO_FETCH-}" ]; then
  # Uses trimtab's own configuration, because the current folder may be another Deno or npm project.
  "$deno" cache --quiet "--config=$root/deno.json" "--lock=$root/bin/commands.lock" \
    "$root/scripts/trimtab.ts" </dev/null >/dev/null 2>&1 &
fi
