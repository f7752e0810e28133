# Read by hansard.bash, in a function, once the shell holds ble.sh.
# ble.sh reads keys, draws prompts and runs commands within one line that readline never ends. PS0, PS1 and PROMPT_COMMAND are then
# evaluated by ble.sh, at its own times and more than once, so they say nothing about commands: its own hooks do. Our parts of those
# variables stay where they are, without effect, until ble.sh is detached.

__hansard_ble_begins=-1      # the seq of the last command that ble.sh itself began

# PREEXEC. $1: the command, after history expansion.
__hansard_ble_begin() {
  local -
  set +exuvfnTE
  __hansard_ble_take
  local fields=seq=$((__hansard_seq += 1))
  __hansard_ble_begins=$__hansard_seq
  # 64 KiB is the longest marker that is read.
  if ((${#1} > 0)) && __hansard_base64 "$1" && ((${#__hansard_b64} <= 54000)); then fields+=";cmd_b64=$__hansard_b64"; fi
  __hansard_folder
  __hansard_clock
  fields+=";cwd_b64=$__hansard_cwd_b64$__hansard_ts"
  if __hansard_ignores_space; then fields+=';nohist=1'; fi
  __hansard_print BLOCK_BEGIN "$fields"
} > /dev/null 2>&1

# Before ble.sh prints its mark for output without a final newline, and again as POSTEXEC and at the prompt.
__hansard_ble_end() {
  local -i code=${1-$?}
  local -
  set +exuvfnTE
  [[ $__hansard_ended != "$__hansard_seq" ]] || return 0
  __hansard_end_mark "${_ble_edit_exec_lastexit-$code}"
  __hansard_ended=$__hansard_seq
} > /dev/null 2>&1

# PRECMD, which ble.sh also runs for prompts that it draws again.
__hansard_ble_prompt() {
  local -i code=$?
  local -
  set +exuvfnTE
  __hansard_ble_take
  # A command that readline began (the one that attached ble.sh) has an end whose status ble.sh does not know.
  [[ $__hansard_ble_begins != "$__hansard_seq" ]] || __hansard_ble_end "$code"
  __hansard_ended=$__hansard_seq
  __hansard_tell
  __hansard_prompt_mark
} > /dev/null 2>&1

# ble.sh is in charge.
__hansard_ble_take() {
  unset -v __hansard_on
  __hansard_first='__hansard_pass "$?"'
  __hansard_reason=$__hansard_ble_reason
}

__hansard_pass() { return "$1"; }

# DETACH: readline draws the prompt next, without PROMPT_COMMAND.
__hansard_ble_left() {
  local -
  set +exuvfnTE
  __hansard_on=1
  __hansard_ended=$__hansard_seq
  __hansard_lost=0
  __hansard_number=${__hansard_bang@P}
  __hansard_assert ''
  __hansard_tell
  __hansard_prompt_mark
} > /dev/null 2>&1

__hansard_ble_reason=
if ! builtin declare -F blehook > /dev/null; then
  __hansard_ble_reason="ble.sh ${BLE_VERSION%%+*} has no blehook: update ble.sh to 0.4 or later"
else
  blehook PREEXEC+=__hansard_ble_begin PRECMD+=__hansard_ble_prompt
  blehook POSTEXEC+=__hansard_ble_end
  blehook DETACH+=__hansard_ble_left
  if builtin declare -F ble/function#advice ble-edit/exec/.adjust-eol > /dev/null; then
    ble/function#advice before ble-edit/exec/.adjust-eol __hansard_ble_end
  else
    __hansard_ble_reason="ble.sh ${BLE_VERSION%%+*} ends commands in a way not known here: its end-of-line mark may stand in their output"
  fi
fi > /dev/null 2>&1
