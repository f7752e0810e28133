/**
 * Behaves like bash-preexec, rewritten for these tests: a DEBUG trap runs preexec functions when "interactive mode" is on, a prompt
 * command runs precmd functions, and a last prompt command turns the mode on. It installs itself at the first prompt, turns the mode
 * off when it sees a prompt command run, and removes ignorespace from HISTCONTROL.
 */
export const PREEXEC_STAND_IN = String.raw`
preexec_functions=() precmd_functions=()
__bp_mode=
__bp_is_prompt_command() {
  local line
  while IFS= read -r line; do
    line=${'$'}{line#"${'$'}{line%%[![:space:]]*}"}
    [[ -n $line && $line == "$1" ]] && return 0
  done <<<"${'$'}{PROMPT_COMMAND[*]//;/$'\n'}"
  return 1
}
__bp_preexec_invoke_exec() {
  [[ -t 1 && -z ${'$'}{COMP_LINE-} && -n $__bp_mode ]] || return 0
  ((BASH_SUBSHELL)) || __bp_mode=
  if __bp_is_prompt_command "$BASH_COMMAND"; then __bp_mode=; return 0; fi
  local text f
  text=$(HISTTIMEFORMAT= builtin history 1 | sed '1 s/^ *[0-9][0-9]*[* ] //')
  if [[ -n $__bp_ignorespace && $text == ' '* ]]; then history -d -1; fi
  for f in "${'$'}{preexec_functions[@]}"; do "$f" "$text"; done
  return 0
}
__bp_precmd_invoke_cmd() {
  local status=$? f
  for f in "${'$'}{precmd_functions[@]}"; do (exit $status); "$f"; done
}
__bp_interactive_mode() { __bp_mode=on; }
__bp_install() {
  trap '__bp_preexec_invoke_exec "$_"' DEBUG
  __bp_ignorespace=
  if [[ $HISTCONTROL == *ignore@(space|both)* ]]; then __bp_ignorespace=yes; HISTCONTROL=ignoredups; fi
  local mine=$'__bp_trap_string="$(trap -p DEBUG)"\ntrap - DEBUG\n__bp_install'
  local rest=${'$'}{PROMPT_COMMAND//"$mine"}
  PROMPT_COMMAND=$'__bp_precmd_invoke_cmd\n'$rest$'\n__bp_interactive_mode'
  __bp_precmd_invoke_cmd
  __bp_interactive_mode
}
PROMPT_COMMAND=${'$'}{PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}$'__bp_trap_string="$(trap -p DEBUG)"\ntrap - DEBUG\n__bp_install'
`;
