# Sourced when Deno is missing or too old: explains what to do, and exits.
# shellcheck shell=sh disable=SC2154
[ -n "$deno" ] || old=
told=no-deno
remedy='npm install -g deno'
message="trimtab needs Deno 2.7 or newer, which is not on the PATH. Install it with: $remedy, or from https://deno.com"
if [ -n "$deno" ]; then
  told=old-deno
  remedy='deno upgrade, or npm install -g deno'
  # Quotes and backslashes would break the JSON below.
  case $deno in *[\"\\]*) deno='the one that was found' ;; esac
  message="trimtab needs Deno 2.7 or newer, and $deno is $old. Update it with: $remedy, or set TRIMTAB_DENO to another"
fi
if [ -n "$is_hook" ]; then
  # Only the session-start hook reports the problem; other hooks stay silent. A typed trimtab command
  # is blocked, because the model could not run it.
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
  # If the module runs inside the client, most features need no Deno, so this is reported only once.
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
# A skill loads only if each of its lines exits with 0.
if [ -n "$is_skill" ]; then
  echo "$message. Tell the user, and run no trimtab commands: they cannot work."
  exit 0
fi
echo "$message" >&2
exit 1
