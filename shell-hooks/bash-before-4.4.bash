# Read by hansard.bash at the top level, after the person's files.
# bash before 4.4: no PS0, no `local -`, no ${x@P}. Commands are told by a DEBUG trap, their text by the history number.
__hansard_basic_number() {
  local text
  text=$(HISTTIMEFORMAT= builtin history 1)
  text=${text#"${text%%[0-9]*}"}
  __hansard_text=${text#"${text%%[!0-9]*}"}
  __hansard_text=${__hansard_text#??}
  builtin printf %s "${text%%[!0-9]*}"
}

__hansard_basic_debug() {
  local command=$BASH_COMMAND
  case $command in *__hansard_*) return 0 ;; esac
  [[ -n $__hansard_waiting && -z ${COMP_LINE-} ]] || return 0
  __hansard_waiting=
  __hansard_seq=$((__hansard_seq + 1))
  (
    __hansard_calm
    fields=seq=$__hansard_seq
    number=$(__hansard_basic_number)
    # One entry more, and one simple command of the same text: anything longer would be told wrong by its first command.
    __hansard_basic_number >/dev/null
    if [[ -n $number && $number != "$__hansard_number" && $__hansard_text == "$command" ]]; then
      __hansard_base64 "$__hansard_text"
      fields+=";cmd_b64=$__hansard_b64"
    fi
    __hansard_base64 "$PWD"
    fields+=";cwd_b64=$__hansard_b64"
    if __hansard_ignores_space; then fields+=';nohist=1'; fi
    __hansard_print BLOCK_BEGIN "$fields"
  ) >/dev/null 2>&1
}

__hansard_basic_end() {
  __hansard_print BLOCK_END "seq=$__hansard_seq;exit=$1"
  __hansard_waiting=
  [[ $- == *e* ]] || return "$1"
}

__hansard_basic_prompt() {
  [[ $PS1 == "$__hansard_ps1"*"$__hansard_ps1_end" ]] || __hansard_wrap_prompt "$__hansard_ps1"
  __hansard_number=$(__hansard_basic_number)
  (__hansard_calm; __hansard_prompt_mark) >/dev/null 2>&1
  __hansard_waiting=1
}

__hansard_basic_install() {
  local user
  __hansard_first='__hansard_basic_end "$?"'
  __hansard_last=__hansard_basic_prompt
  __hansard_tail='{ eval "${__hansard_last:-(exit $?)}"; } > /dev/null 2>&1'
  __hansard_ps1_late=
  __hansard_strip "${PROMPT_COMMAND-}"
  __hansard_set PROMPT_COMMAND "$__hansard_head"$'\n'"${__hansard_bare:+$__hansard_bare$'\n'}$__hansard_tail" || :
}

__hansard_basic_install
# At the top level: a trap set in a function is taken back when the function returns.
__hansard_debug=$(builtin trap -p DEBUG)
if [[ -z $__hansard_debug ]]; then
  builtin trap __hansard_basic_debug DEBUG
else
  eval "__hansard_debug=(${__hansard_debug#trap})"
  builtin trap "__hansard_basic_debug; ${__hansard_debug[1]}" DEBUG
fi
