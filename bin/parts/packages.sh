# Sourced for commands, which import these from npm. Where they are not there, they are fetched first.
# shellcheck shell=sh disable=SC2034,SC2154
for package in deno-std/1.4.0 jsonc-parser/3.3.1; do
  found=
  # Between the two stands the registry, which may be another than npm's own.
  for folder in "$cache"/npm/*/"$package"; do
    if [ -d "$folder" ]; then found=1; fi
  done
  [ -n "$found" ] || is_cached=
done

# Fetches what the command imports before it is started, so that a registry that cannot be reached is one
# line and not what Deno says of it. A failure of another kind is left to the start, which words it.
fetch() {
  [ -n "$perms" ] || return 0
  # By its own configuration: this may run in the folder of another project of Deno or npm.
  told=$(NO_COLOR=1 "$deno" cache --quiet "--config=$root/deno.json" \
    "--lock=$root/bin/commands.lock" "$root/$script" 2>&1) && return 0
  case $told in
    *npm*) ;;
    *) return 0 ;;
  esac
  told="trimtab's commands import packages from npm, which Deno has not got in $cache and could not fetch. Run a command once where the registry can be reached: after that none needs the network. Hooks never do."
  if [ -n "$is_skill" ]; then
    echo "$told"
    exit 0
  fi
  echo "$told" >&2
  exit 1
}
