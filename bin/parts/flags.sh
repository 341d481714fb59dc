# Sourced by the launcher: appends the command's permissions to its arguments, with CONFIG, PROJECT
# and OUTPUT replaced by paths.
# shellcheck shell=sh disable=SC2034,SC2154
# A comma separates the paths of a permission, and Deno cannot escape it. A path with a comma is made
# relative to the working folder if that removes the comma. Otherwise the path is left out, and the
# command reports the missing permission.
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

# Adds a path to the list in `folders`, if a permission can name it.
add_folder() {
  grantable "$1"
  folders=$folders${granted:+${folders:+,}$granted}
}

# Trusts the system's certificates, too, because a company's proxy may sign with its own.
DENO_TLS_CA_STORE=${DENO_TLS_CA_STORE:-mozilla,system}
export DENO_TLS_CA_STORE

project=$CLAUDE_PROJECT_DIR
case $is_hook$project in 1*,*) cd -- "$project" || exit 0 ;; esac
# The repository's .work.toml, if the project is a subfolder without one. Hooks may not read above the
# project, so they need a permission for this file.
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

# trimtab reads git's index, because it writes to no tracked file. An index outside of the project needs
# a permission.
git=
if [ -e "$folder/.git" ]; then
  index=$folder/.git/index
  if [ -f "$folder/.git" ]; then
    # In a worktree, .git is a file that names the folder of the index.
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

# An organization's settings can change the point at which the client compacts.
managed=
for file in /etc/claude-code/managed-settings.json \
  '/Library/Application Support/ClaudeCode/managed-settings.json' \
  'C:/Program Files/ClaudeCode/managed-settings.json'; do
  if [ -f "$file" ]; then managed=$file; fi
done

# Replaces CONFIG, PROJECT and OUTPUT in a comma-separated list; sets `folders` to the result.
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
      # A flag without a path would apply to all paths.
      [ -n "$folders" ] || continue
      flag=${flag%%=*}=$folders
      ;;
  esac
  set -- "$@" "$flag"
done
[ -z "$engine" ] || set -- "$@" "$engine"
# Before it starts a script, Deno loads every module that the script could import, which for a hook is
# several times as many as it does import. Lazy loading avoids that, but needs permission to read the
# modules, so it is used only if the plugin's folder may be read. It is switched on by a variable,
# because older versions of Deno reject an unknown flag.
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
# The caller may have set the variable for another program.
unset DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS
if [ -n "$lazy" ]; then
  DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS=1
  export DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS
fi
