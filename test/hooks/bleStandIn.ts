/**
 * Behaves like ble.sh 0.4, rewritten for these tests after its sources: every key runs a shell function (`bind -x`) within one line that
 * readline never ends; readline's own output is discarded; the terminal's modes are set around each command; a command runs at the top
 * level of that function's `eval`, between a prologue and an epilogue; output without a final newline gets a mark; the editor evaluates
 * PS0, PS1 and PROMPT_COMMAND, the last two whenever it draws a prompt; ended jobs are reported after the command. It attaches from
 * PROMPT_COMMAND or by `ble-attach`.
 */
export const BLE_STAND_IN = String.raw`
BLE_VERSION=0.4.0-devel4+standin
_ble_attached= _ble_edit_str= _ble_edit_PS1= _ble_edit_exec_lastexit=0 _ble_decode_bind_hook= _ble_bytes=()
_ble_edit_exec_lastarg=$BASH _ble_edit_detach=
declare -A _ble_hooks=()
exec {_ble_util_fd_stdout}>&1 {_ble_util_fd_stderr}>&2

function blehook {
  local process
  for process; do
    [[ $process =~ ^([A-Z]+)'+='(.*)$ && ' PREEXEC POSTEXEC PRECMD DETACH ' == *" ${'$'}{BASH_REMATCH[1]} "* ]] || { echo "blehook: $process" >&2; return 2; }
    _ble_hooks[${'$'}{BASH_REMATCH[1]}]+="${'$'}{BASH_REMATCH[2]} "
  done
}
function ble/util/setexit { return "$1"; }
function blehook/invoke {
  local lastexit=$? hook hooks=${'$'}{_ble_hooks[$1]-}; shift
  for hook in $hooks; do ble/util/setexit "$lastexit"; "$hook" "$@" 2>&3; done
  return 0
} 3>&2 2>/dev/null
function ble/function#advice {
  local def; def=$(declare -f "$2") || return 1
  builtin eval "function ble/function#advice/original:$def"
  builtin eval "function $2 { $3; ble/function#advice/original:$2 \"\$@\"; }"
}
function ble-edit/exec/.setexit { return "$_ble_edit_exec_lastexit"; }
function ble-edit/exec:gexec/invoke-hook-with-setexit {
  ble-edit/exec/.setexit "$_ble_edit_exec_lastarg"
  blehook/invoke "$@"
} >&$_ble_util_fd_stdout 2>&$_ble_util_fd_stderr

function ble-edit/bind/stdout.on { exec 1>&$_ble_util_fd_stdout 2>&$_ble_util_fd_stderr; }
function ble-edit/bind/stdout.off { exec 1>/dev/null 2>/dev/null; }
function ble/term/enter { command stty -echo -icrnl -icanon -isig < /dev/tty; printf '\e[?2004h\e[>4;1m' >&$_ble_util_fd_stderr; }
function ble/term/leave { command stty echo icrnl icanon isig < /dev/tty; printf '\e[?2004l\e[>4;0m\e[m' >&$_ble_util_fd_stderr; }
function ble-edit/restore-PS1 { PS1=$_ble_edit_PS1; }
function ble-edit/adjust-PS1 { _ble_edit_PS1=$PS1 PS1=; }

function ble/prompt/update {
  ble-edit/restore-PS1
  ble-edit/exec:gexec/invoke-hook-with-setexit PRECMD
  local command
  for command in "${'$'}{PROMPT_COMMAND[@]}"; do
    ble-edit/exec/.setexit "$_ble_edit_exec_lastarg"
    builtin eval -- "$command" >&$_ble_util_fd_stdout 2>&$_ble_util_fd_stderr
  done
  _ble_prompt=${'$'}{PS1@P}
  ble-edit/adjust-PS1
}
function ble/textarea#render {
  # The marks stay; the line is drawn in colours, and a suggestion behind the cursor.
  printf '\r\e[K%s\e[38;5;26m%s\e[m\e[K' "${'$'}{_ble_prompt//[$'\x01\x02']}" "$_ble_edit_str" >&$_ble_util_fd_stderr
}

function ble-edit/exec/.adjust-eol {
  printf '\e[m\e7\e[94m[ble: EOF]\e[m\e8\e[%dC  \r\e[K' $((${'$'}{COLUMNS:-80} - 2)) >&$_ble_util_fd_stderr
}
function ble-edit/exec:gexec/.begin { ble/term/leave; ble-edit/bind/stdout.on; }
function ble-edit/exec:gexec/.prologue {
  ble-edit/restore-PS1
  ble-edit/exec:gexec/invoke-hook-with-setexit PREEXEC "$1"
  [[ -z $PS0 ]] || printf %s "${'$'}{PS0@P}" >&$_ble_util_fd_stdout
  return "$_ble_edit_exec_lastexit"
} &>/dev/null
function ble-edit/exec:gexec/.save-last-arg {
  _ble_edit_exec_lastarg=$_ _ble_edit_exec_lastexit=$?
  return "$_ble_edit_exec_lastexit"
}
function ble-edit/exec:gexec/.epilogue {
  _ble_edit_exec_lastexit=$?
  ble-edit/adjust-PS1
  ble-edit/exec/.adjust-eol
  ble-edit/exec:gexec/invoke-hook-with-setexit POSTEXEC
  ((_ble_edit_exec_lastexit == 0)) || printf '\e[91m[ble: exit %d]\e[m\n' "$_ble_edit_exec_lastexit" >&3
}
function ble/util/joblist.flush {
  local line
  jobs > ~/.ble-jobs 2>&1
  while IFS= read -r line; do [[ $line != *Done* ]] || printf '%s\r\n' "$line" >&$_ble_util_fd_stderr; done < ~/.ble-jobs
}
function ble-edit/exec:gexec/.end {
  _ble_decode_bind_hook=
  ble/util/joblist.flush
  if [[ $_ble_edit_detach ]]; then ble-detach/impl; return 0; fi
  ble/term/enter
  ble-edit/bind/stdout.off
  ble/prompt/update
  ble/textarea#render
}
function ble/widget/accept-line {
  local q=\' Q="'\''" cmd=$_ble_edit_str
  _ble_edit_str=
  printf '\r\n' >&$_ble_util_fd_stderr
  if [[ $cmd != *[!$' \t\n']* ]]; then ble/prompt/update; ble/textarea#render; return; fi
  builtin history -s -- "$cmd"
  local prologue="ble-edit/exec:gexec/.prologue '${'$'}{cmd//$q/$Q}' \"\$_ble_edit_exec_lastarg\""
  local buff=(ble-edit/exec:gexec/.begin "builtin eval -- '${'$'}{prologue//$q/$Q}" "${'$'}{cmd//$q/$Q}"
    "{ ble-edit/exec:gexec/.save-last-arg; } &>/dev/null'" '{ ble-edit/exec:gexec/.epilogue; } 3>&2 &>/dev/null'
    ble-edit/exec:gexec/.end)
  IFS=$'\n' builtin eval '_ble_decode_bind_hook="${'$'}{buff[*]}"'
}
function ble-decode/.hook {
  local byte=$1 char
  # readline has set the terminal's modes anew since ble.sh attached.
  [[ $_ble_attached == entered ]] || { _ble_attached=entered; ble/term/enter; }
  _ble_decode_bind_hook=
  case $byte in
    3) _ble_edit_str=; printf '^C\r\n' >&$_ble_util_fd_stderr; ble/prompt/update ;;
    13) ble/widget/accept-line; return ;;
    127) _ble_edit_str=${'$'}{_ble_edit_str%?} ;;
    *) printf -v char "\\x$(printf %x "$byte")"; _ble_edit_str+=$char ;;
  esac
  ble/textarea#render
}

function ble-attach {
  [[ -z $_ble_attached ]] || return 0
  _ble_attached=1 _ble_edit_detach=
  local -i byte
  for byte in 3 13 {32..126} 127 {128..255}; do
    builtin bind -x "\"\\$(printf %o "$byte")\":ble-decode/.hook $byte; builtin eval -- \"\$_ble_decode_bind_hook\""
  done
  _ble_edit_PS1=$PS1 PS1=
  ble/term/enter
  ble-edit/bind/stdout.off
  ble/prompt/update
  ble/textarea#render
}
function ble-detach { _ble_edit_detach=1; }
function ble-detach/impl {
  blehook/invoke DETACH
  _ble_attached=
  local -i byte
  for byte in 3 13 {32..126} 127 {128..255}; do builtin bind -r "\\$(printf %o "$byte")"; done
  for byte in {32..126} {128..255}; do builtin bind "\"\\$(printf %o "$byte")\": self-insert"; done
  builtin bind '"\C-m": accept-line'
  PS1=$_ble_edit_PS1
  printf '[ble: detached]\r\n' >&$_ble_util_fd_stderr
}
function ble/base/attach-from-PROMPT_COMMAND {
  local -i i
  for i in "${'$'}{!PROMPT_COMMAND[@]}"; do
    PROMPT_COMMAND[i]=${'$'}{PROMPT_COMMAND[i]//ble\/base\/attach-from-PROMPT_COMMAND}
  done
  ble-attach
}
`;

/** Lines of a .bashrc that attach the editor, by the way of attaching. */
export const BLE_ATTACH = {
  'from the first prompt': `PROMPT_COMMAND="${'$'}{PROMPT_COMMAND:+$PROMPT_COMMAND;}ble/base/attach-from-PROMPT_COMMAND"`,
  'at the end of .bashrc': 'ble-attach',
} as const;
