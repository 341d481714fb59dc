# Sourced for commands, which import these from npm. Whether they are there decides no more than who
# says what is wrong when Deno does not start: Deno alone, or the launcher as well.
# shellcheck shell=sh disable=SC2034,SC2154
for package in deno-std/1.4.0 jsonc-parser/3.3.1; do
  found=
  # Between the two stands the registry, which may be another than npm's own.
  for folder in "$cache"/npm/*/"$package"; do
    if [ -d "$folder" ]; then found=1; fi
  done
  [ -n "$found" ] || is_cached=
done

# Says what to do where Deno could not fetch what the command imports. Deno is asked once more, as a
# command can fail by itself, too.
explain() {
  [ -z "$is_cached" ] || return 0
  case $("$deno" install --quiet --cached-only "--lock=$root/bin/commands.lock" \
    --entrypoint "$root/$script" 2>&1) in
    *--cached-only*)
      echo "trimtab's commands import packages from npm, which Deno has not got in $cache and could not fetch. Run a command once where the registry can be reached: after that none needs the network. Hooks never do."
      ;;
  esac
}
