# Generated from cli/permissions.ts by `deno task reference`; sourced by the launcher just before it starts
# a program. Removes all other variables, because some make Deno load code, or send or record its
# activity, and each version adds more. Starts no program for this, because the values would be
# visible to anyone who lists processes.
# shellcheck shell=sh disable=SC2046
_trimtab_passed=' ALL_PROXY ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL APPDATA CLAUDE_AUTOCOMPACT_PCT_OVERRIDE CLAUDE_CODE_AUTO_COMPACT_WINDOW CLAUDE_CODE_DISABLE_1M_CONTEXT CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_MAX_CONTEXT_TOKENS CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_SESSION_ID CLAUDE_CONFIG_DIR CLAUDE_PID CLAUDE_PROJECT_DIR COLORTERM COLUMNS COMSPEC ComSpec DBUS_SESSION_BUS_ADDRESS DENO_AUTH_TOKENS DENO_CERT DENO_DIR DENO_EMIT_CACHE_MODE DENO_NO_UPDATE_CHECK DENO_TLS_CA_STORE DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS DESKTOP_SESSION DISABLE_AUTO_COMPACT DISABLE_COMPACT DISPLAY EPISODIC_MEMORY_API_BASE_URL EPISODIC_MEMORY_API_MODEL EPISODIC_MEMORY_API_MODEL_FALLBACK EPISODIC_MEMORY_API_TIMEOUT_MS EPISODIC_MEMORY_API_TOKEN EPISODIC_MEMORY_CONFIG_DIR EPISODIC_MEMORY_DB_PATH FORCE_COLOR HOME HOMEDRIVE HOMEPATH HTTPS_PROXY HTTP_PROXY LANG LC_ALL LC_CTYPE LOCALAPPDATA LOGNAME MSYSTEM NODE_AUTH_TOKEN NO_COLOR NO_PROXY NPM_CONFIG_REGISTRY NPM_TOKEN PATH PATHEXT PROGRAMDATA PWD SHELL SHLVL SSL_CERT_DIR SSL_CERT_FILE SYSTEMROOT SystemRoot TEMP TERM TMP TMPDIR TRIMTAB_ROOT TZ USER USERNAME USERPROFILE WAYLAND_DISPLAY WINDIR WORK_WORKER_ID WSLENV WSL_DISTRO_NAME WSL_INTEROP XAUTHORITY XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_CURRENT_DESKTOP XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_TYPE all_proxy http_proxy https_proxy no_proxy npm_config_registry windir '
set -f
IFS='
'
for _trimtab_line in $(export -p); do
  case $_trimtab_line in 'export '* | 'declare -x '*) ;; *) continue ;; esac
  _trimtab_line=${_trimtab_line#export }
  _trimtab_line=${_trimtab_line#declare -x }
  _trimtab_line=${_trimtab_line%%=*}
  case $_trimtab_line in
    '' | _ | [0-9]* | *[!A-Za-z0-9_]* | _trimtab*) continue ;;
  esac
  case $_trimtab_passed in *" $_trimtab_line "*) ;; *) unset "$_trimtab_line" ;; esac
done
