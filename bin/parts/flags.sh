# Sourced by the launcher: puts the permissions of the command behind its arguments, with folders in
# the place of what stands for them.
# shellcheck shell=sh disable=SC2034,SC2154
# A comma separates the paths of a permission, and Deno takes nothing that would make it part of
# one. Of a path with a comma the nearest folder above without is named; where that is the root,
# which is too much to grant, the command is left to say what it may not do.
grantable() {
  granted=$1
  case $1 in
    *,*)
      granted=${1%%,*}
      granted=${granted%/*}
      granted=${granted:-$1}
      ;;
  esac
}

# What a proxy of the house signs is trusted where the system trusts it.
DENO_TLS_CA_STORE=${DENO_TLS_CA_STORE:-mozilla,system}
export DENO_TLS_CA_STORE

project=${named:-$CLAUDE_PROJECT_DIR}
# The shared file of a repository, where the project is a folder of it that has none: hooks may not look
# above the project, so it is named to them.
shared=
folder=$project
while [ ! -e "$folder/.git" ]; do
  case $folder in
    ?*/*) folder=${folder%/*} ;;
    *)
      shared=
      break
      ;;
  esac
  if [ -z "$shared" ] && [ -f "$folder/.work.toml" ]; then shared=$folder/.work.toml; fi
done

# An organisation's settings move where the client compacts.
managed=
for file in /etc/claude-code/managed-settings.json \
  '/Library/Application Support/ClaudeCode/managed-settings.json' \
  'C:/Program Files/ClaudeCode/managed-settings.json'; do
  if [ -f "$file" ]; then managed=$file; fi
done

# Puts folders in the place of CONFIG and PROJECT in a list with commas; leaves it in `folders`.
with_folders() {
  folders=
  list=$1,
  while [ -n "$list" ]; do
    item=${list%%,*}
    list=${list#*,}
    case $item in
      CONFIG*) grantable "$config${item#CONFIG}" ;;
      PROJECT*) grantable "$project${item#PROJECT}" ;;
      OUTPUT)
        [ -n "$output" ] || continue
        grantable "$output"
        ;;
      *) granted=$item ;;
    esac
    folders=$folders${folders:+,}$granted
    if [ "$item" = PROJECT ] && [ -n "$shared" ]; then
      grantable "$shared"
      folders=$folders,$granted
    fi
    if [ "$item" = PROJECT ] && [ -n "$managed" ]; then folders=$folders,$managed; fi
  done
}

set -f
for flag in $perms; do
  case $flag in
    --allow-env=*) ;;
    --deny-*)
      # The folder above would be too much to take away, too.
      case $flag:$config:$project in
        *PROJECT*:*:*,* | *:*,*:*) continue ;;
      esac
      with_folders "${flag#*=}"
      flag=${flag%%=*}=$folders
      ;;
    *=*CONFIG* | *=*PROJECT*)
      with_folders "${flag#*=}"
      flag=${flag%%=*}=$folders
      ;;
  esac
  set -- "$@" "$flag"
done
[ -z "$engine" ] || set -- "$@" "$engine"
# Before it starts a script Deno goes over all that the script could ever come to import, which for a
# hook is several times what it does import. Told to leave that for later, it then asks for the right
# to read it: so only where the plugin's own folder may be read, as in the configuration's, in which
# the client keeps plugins. A variable, since a version of Deno that has no such flag would stop at it.
lazy=
case " $perms " in
  *' --allow-read '*) lazy=1 ;;
  *' --allow-read=CONFIG,'*)
    case $config:$root/ in
      *,*) ;;
      "$config:$config"/*) lazy=1 ;;
    esac
    ;;
esac
# Whoever started this may have set it for something else.
unset DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS
if [ -n "$lazy" ]; then
  DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS=1
  export DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS
fi
