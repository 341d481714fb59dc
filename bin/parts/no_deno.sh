# Sourced where there is no Deno, or one that is too old: says what to do, and ends the launcher.
# shellcheck shell=sh disable=SC2154
[ -n "$deno" ] || old=
told=no-deno
remedy='npm install -g deno'
message="trimtab needs Deno 2.7 or newer, which is not on the PATH. Install it with: $remedy, or from https://deno.com"
if [ -n "$deno" ]; then
  told=old-deno
  remedy='deno upgrade, or npm install -g deno'
  # In JSON neither character may stand as it is.
  case $deno in *[\"\\]*) deno='the one that was found' ;; esac
  message="trimtab needs Deno 2.7 or newer, and $deno is $old. Update it with: $remedy, or set TRIMTAB_DENO to another"
fi
if [ -n "$is_hook" ]; then
  # A hook never harms: the start of a session says it to the user, and the others are silent; but a
  # command of ours that was typed must not go to the model, which could do nothing with it.
  if [ "$event" = user-prompt-expansion ]; then
    payload=
    IFS= read -r payload || [ -n "$payload" ] || exit 0
    case $payload in
      *'"command_name":"trimtab:'*) printf '{"decision":"block","reason":"%s"}\n' "$message" ;;
      *'"command_source":"userSettings"'* | *'"command_source":"projectSettings"'*)
        case $payload in
          *'"command_name":"trim"'* | *'"command_name":"fresh-start"'*)
            printf '{"decision":"block","reason":"%s"}\n' "$message"
            ;;
        esac
        ;;
    esac
    exit 0
  fi
  payload=
  [ "$event" = session-start ] && IFS= read -r payload
  case $payload in
    *'"source":"compact"'* | '') exit 0 ;;
  esac
  # Where the module runs inside the client most of the work needs no Deno: that is said once.
  if [ -n "${TRIMTAB_INSIDE-}" ]; then
    folder=${CLAUDE_CONFIG_DIR:-${HOME-}/.claude}/trimtab/told
    [ -e "$folder/$told" ] && exit 0
    [ -n "${CLAUDE_CONFIG_DIR-}${HOME-}" ] &&
      (umask 077 && mkdir -p "$folder" && : >"$folder/$told") 2>/dev/null
    message="trimtab is active: it warns when the window fills up, and /trim frees space at any time. Saving and restoring the work, shaping long outputs, handoffs, reports and !trimtab need Deno 2.7 or newer${old:+, and $deno is $old}: $remedy"
  fi
  printf '{"systemMessage":"%s"}\n' "$message"
  exit 0
fi
# The skill of which this is a line must still load.
if [ -n "$is_skill" ]; then
  echo "$message. Tell the user so, and run no trimtab command: none works."
  exit 0
fi
echo "$message" >&2
exit 1
