@echo off
rem Runs trimtab from cmd and PowerShell. The launcher next to this file needs sh, which comes with
rem Git for Windows. Without sh, Deno runs every command with the permissions of all commands.
setlocal
for %%S in ("%ProgramFiles%\Git\bin\sh.exe" "%LocalAppData%\Programs\Git\bin\sh.exe") do (
  if exist %%S (
    %%S "%~dp0trimtab" %*
    exit /b
  )
)
where deno >nul 2>nul
if errorlevel 1 (
  echo trimtab needs Deno 2.7 or newer, which is not on the PATH. Install it with: npm install -g deno, or from https://deno.com 1>&2
  exit /b 1
)
deno run --quiet --no-prompt --allow-read --allow-write --allow-env --allow-sys --allow-run "--config=%~dp0..\deno.json" "--lock=%~dp0commands.lock" "%~dp0..\scripts\trimtab.ts" %*
