# Sourced by the launcher: puts the permissions of the command behind its arguments, with folders in
# the place of what stands for them.
# shellcheck shell=sh disable=SC2034,SC2154
# A comma separates the paths of a permission, and Deno has no escape for it. A path with a comma is
# named from the working folder, if the comma is in a folder above that; else it is left out, and the
# command says what it may not do.
grantable() {
  granted=$1
  case $1 in *,*) ;; *) return ;; esac
  granted=
  up=.
  folder=$PWD
  while [ -n "$folder" ]; do
    case $1/ in
      "$folder"/*)
        case ${1#"$folder"} in *,*) ;; *) granted=$up${1#"$folder"} ;; esac
        return
        ;;
    esac
    folder=${folder%/*}
    up=$up/..
  done
}

# Adds a path to the list in `folders`, if it can be named.
add_folder() {
  grantable "$1"
  folders=$folders${granted:+${folders:+,}$granted}
}

# What a proxy of the house signs is trusted where the system trusts it.
DENO_TLS_CA_STORE=${DENO_TLS_CA_STORE:-mozilla,system}
export DENO_TLS_CA_STORE

project=$CLAUDE_PROJECT_DIR
case $is_hook$project in 1*,*) cd -- "$project" || exit 0 ;; esac
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

# Nothing is written that git tracks, as its index tells: where it is outside of the project, it is named.
git=
if [ -e "$folder/.git" ]; then
  index=$folder/.git/index
  if [ -f "$folder/.git" ]; then
    # The file of a worktree names its folder.
    line=
    IFS= read -r line <"$folder/.git" || :
    case $line in
      'gitdir: '/* | 'gitdir: '[A-Za-z]:*) index=${line#gitdir: }/index ;;
      'gitdir: '*) index=$folder/${line#gitdir: }/index ;;
    esac
    case $folder in "$project" | *,*) ;; *) git=$folder/.git ;; esac
  fi
  case $index in
    "$project"/*) ;;
    *,*) ;;
    *) git=$git${git:+,}$index ;;
  esac
fi

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
      CONFIG*) add_folder "$config${item#CONFIG}" ;;
      PROJECT*) add_folder "$project${item#PROJECT}" ;;
      OUTPUT) [ -z "$output" ] || add_folder "$output" ;;
      *) folders=$folders${folders:+,}$item ;;
    esac
    if [ "$item" = PROJECT ] && [ -n "$shared" ]; then add_folder "$shared"; fi
    if [ "$item" = PROJECT ] && [ -n "$managed" ]; then add_folder "$managed"; fi
    if [ "$item" = PROJECT ] && [ -n "$git" ]; then folders=$folders${folders:+,}$git; fi
  done
}

set -f
for flag in $perms; do
  case $flag in
    --allow-env=*) ;;
    *=*CONFIG* | *=*PROJECT*)
      with_folders "${flag#*=}"
      # With no path behind it the flag would be about all of them.
      [ -n "$folders" ] || continue
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
