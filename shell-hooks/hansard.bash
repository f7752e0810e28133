# @shells bash
# @args ["--rcfile", "{hook}", "-i"]
# @env {"HANSARD_NONCE_FILE": "{nonceFile}", "HANSARD_HOOK": "start", "HANSARD_WORDS": "{env.HANSARD_WORDS}"}
# @login-env {"HANSARD_HOOK": "login"}
# @source HANSARD_NONCE_FILE='{nonceFile}' HANSARD_HOOK=; . '{hook}'
# @quality rich
# @note bash before 4.4 has no PS0: a DEBUG trap tells of commands there, quality "basic", and a command that is only ( … ) gets no card.
#
# Markers go to /dev/tty, one printf each, so a redirected stdout or stderr does not lose them. It forks twice when a command
# starts, and once for a prompt when the person has prompt code of their own.
#
# Three rules that shaped it:
# - What runs after the person's own prompt code must not fire their DEBUG trap (it would start their timers, and end
#   bash-preexec's interactive mode). A function definition inside a group fires none, and words of a redirection are expanded
#   in the shell itself: that is why the tail looks as it does.
# - PROMPT_COMMAND and PS1 may be inherited by a shell without this hook: each of our parts is empty or harmless there.
# - The nonce is never in a prompt variable, an environment or an argument, and never traced. Its file is emptied once it is read.

__hansard_nonce=
[[ -z ${HANSARD_NONCE_FILE-} ]] ||
  { IFS= read -r __hansard_nonce < "$HANSARD_NONCE_FILE" && : >| "$HANSARD_NONCE_FILE"; } 2> /dev/null || __hansard_nonce=
__hansard_start=${HANSARD_HOOK-}
__hansard_words_file=${HANSARD_WORDS-} __hansard_checked=
unset -v HANSARD_NONCE_FILE HANSARD_HOOK HANSARD_WORDS
declare +x __hansard_nonce __hansard_start __hansard_words_file __hansard_checked

__hansard_on=1           # makes our parts of PS0, PS1 and PS2 expand; unset in child shells
__hansard_nil=           # always empty: the place where an arithmetic side effect can hide
__hansard_bang='\!'      # ${__hansard_bang@P}: number of the newest history entry
__hansard_seq=0          # number of the running or last command; counted up by PS0
__hansard_number=-1      # newest history entry when the prompt was drawn
__hansard_ended=-1       # the seq whose END was printed; PS1 or the tail makes up for it when the first element did not run
__hansard_lost=0         # 1: PS1 had to print END, nothing in PROMPT_COMMAND did
__hansard_ble=           # set once ble.sh's hooks are ours, or it was found to have none
__hansard_ble_reason=    # why we cannot vouch for ends with ble.sh, for people
__hansard_home=${BASH_SOURCE[0]%/*}
__hansard_kept=1         # 0: PROMPT_COMMAND has lost our parts
__hansard_hopeless=      # set when putting our parts back failed once: it is not tried at every command
__hansard_said=0         # 1: PROMPT was printed by the first element, since nothing of the person's runs after it
__hansard_alone=         # set while PROMPT_COMMAND holds only our parts
__hansard_cwd= __hansard_cwd_b64=   # a folder and its base64
__hansard_more=0         # how often PS2 was shown since the prompt
__hansard_reason=        # why we cannot vouch for text or ends, for people
__hansard_wrap=          # set while the person's prompt code sets PS1 anew at each prompt
__hansard_told=          # what this shell told last of its aliases and functions
__hansard_aliases= __hansard_alias_lists=   # all aliases, and those of the words that somebody asks about
__hansard_words_n=0      # how often it told; 0: what the reader must not count on
__hansard_words_b64=     # what this prompt is to tell
__hansard_names_told= __hansard_names_n=0 __hansard_names_now=  # the same of the names of all commands that are not on PATH
__hansard_version=${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}.${BASH_VERSINFO[2]}
__hansard_first='__hansard_end "$?"'
__hansard_status=0       # of the person's start-up files, for the first prompt
__hansard_wrapped=       # set once PS1 was ours
__hansard_ps1_now=       # what stands before the prompt, and PS1 as we left it
__hansard_shared=        # set while our head shares an element of PROMPT_COMMAND with the person's code
__hansard_miss=(1)       # element 0 is set and element 1 is not: a condition for a parameter expansion
__hansard_arrays=        # 5.1 and later run every element of PROMPT_COMMAND
((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)) || __hansard_arrays=1

# Text of our parts. `eval "${…:-(exit $?)}"` keeps $? for the prompt code of a shell that inherited PROMPT_COMMAND only.
__hansard_head='{ eval "${__hansard_first:-(exit $?)}"; } > /dev/null 2>&1'
__hansard_tail='{ __hansard_nop() { :; }; } > /dev/null 2>&1 < /dev/null"${__hansard_on:+${__hansard_nil:$((__hansard_number=${__hansard_bang@P})):0}${__hansard_miss[__hansard_said]:+$(__hansard_prompt "$?")}${__hansard_nil:$((__hansard_lost=__hansard_lost|(__hansard_ended!=__hansard_seq),__hansard_ended=__hansard_seq)):0}}"'
__hansard_late='{ eval "${__hansard_wrap-}"; } > /dev/null 2>&1'
# What __hansard_begin prints into 3 asks for __hansard_mend in PROMPT_COMMAND: an expansion is all that runs before a command without
# a trap, which `trap` would list. The pattern of a substitution in nothing is expanded, and nothing comes of it.
__hansard_mend='{ __hansard_rescue "$?"; } > /dev/null 2>&1'
__hansard_ps0='${__hansard_on:+${__hansard_nil:$((__hansard_seq+=1)):0}${__hansard_nil:$((__hansard_kept=1-0$({ __hansard_begin; } 3>&1 >/dev/null 2>&1))):0}${__hansard_miss[__hansard_kept]:+${__hansard_nil/#${PROMPT_COMMAND[__hansard_seq+999]:=$__hansard_mend}}}}'
__hansard_ps1='\[\e]133;P;k=i\a\]'
# PS1 notes the history number as the very last, and prints END and PROMPT when nothing in PROMPT_COMMAND did.
__hansard_ps1_late='${__hansard_on:+${__hansard_nil:$((__hansard_number=\!-1)):0}${__hansard_miss[__hansard_ended==__hansard_seq]:+$(__hansard_prompt "$?" >/dev/null 2>&1)}${__hansard_nil:$((__hansard_lost=__hansard_lost|(__hansard_ended!=__hansard_seq),__hansard_ended=__hansard_seq,__hansard_said=0)):0}}'
__hansard_ps1_end='\[\e]133;B\a\]'
__hansard_ps2='${__hansard_on:+${__hansard_nil:$((__hansard_more+=1)):0}}'

# $1: text. Leaves its base64 in __hansard_b64. Long text goes through base64(1): the loop takes 3 µs a byte.
__hansard_base64() {
  local s=$1 sum table=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/
  local LC_ALL=C
  local -i i n=${#s} v
  __hansard_b64=
  if ((n > 400)) || [[ ${LC_ALL-} != C ]]; then
    __hansard_b64=$(builtin printf %s "$s" | command base64) && __hansard_b64=${__hansard_b64//[!A-Za-z0-9+\/=]/}
    # A read-only LC_ALL: characters would be taken for bytes.
    [[ -z $__hansard_b64 && ${LC_ALL-} == C ]] || return 0
  fi
  for ((i = 0; i < n; i += 3)); do
    # A quote with nothing behind it is 0.
    builtin printf -v sum '(%d&255)<<16|(%d&255)<<8|%d&255' "'${s:i:1}" "'${s:i+1:1}" "'${s:i+2:1}"
    v=$sum
    __hansard_b64+=${table:v>>18:1}${table:v>>12&63:1}${table:v>>6&63:1}${table:v&63:1}
  done
  case $((n % 3)) in
    1) __hansard_b64=${__hansard_b64%??}== ;;
    2) __hansard_b64=${__hansard_b64%?}= ;;
  esac
}

# $1: event, $2: fields. One write; /dev/tty is the terminal even when the person's `exec >file` is in force.
__hansard_print() {
  builtin printf '\e]7717;%s;%s;%s\a' "$__hansard_nonce" "$1" "$2" >/dev/tty
}

# Leaves `;ts=<ms>` in __hansard_ts; empty before bash 5.0, which has no clock without a process.
__hansard_clock() {
  local us=${EPOCHREALTIME-}
  us=${us//[!0-9]/}
  __hansard_ts=
  ((${#us} < 16)) || __hansard_ts=";ts=${us%???}"
}

# What a subshell of ours must not inherit: the person's traps and options. Nothing of it reaches the person's shell.
__hansard_calm() {
  builtin trap - DEBUG ERR RETURN
  set +exuvfn
  IFS=$' \t\n'
}

# Leaves what history holds of the command that was just read in __hansard_text; status 1 if it is not sure that it does. In
# __hansard_kind `cmd` when that is the command as it was typed, `joined` when bash has changed its lines.
__hansard_typed() {
  local LC_ALL=C number=${__hansard_bang@P} text stamp now breaks
  # The same number again: the line was kept out of history.
  [[ $__hansard_number != -1 && $number != "$__hansard_number" ]] || return 1
  __hansard_kind=cmd
  if ((__hansard_more > 0)) && ! shopt -q cmdhist; then __hansard_typed_apart; return; fi
  [[ ${PS2-} == *"$__hansard_ps2"* ]] || return 1
  if [[ ${HISTTIMEFORMAT+x} && ${HISTTIMEFORMAT@a} == *r* ]]; then return 1; fi
  text=$(HISTTIMEFORMAT='%s ' builtin history 1; builtin printf x)
  text=${text#"${text%%[0-9]*}"}
  [[ ${text%%[!0-9]*} == "$number" ]] || return 1
  text=${text#"$number"??}
  stamp=${text%%[!0-9]*}
  # An entry of two seconds ago came from elsewhere: edit-and-execute-command at this prompt, a history read in between. (The
  # time of a command of several lines is that of its first.)
  builtin printf -v now '%(%s)T' -1
  ((${#stamp} > 0 && (now - stamp < 2 || __hansard_more > 0))) || return 1
  text=${text#"$stamp "}
  # bash keeps the newline after the end of a here-document.
  text=${text%$'\n'x}
  __hansard_text=${text%$'\n'}
  # As many line breaks as there were: none was joined, or taken out with its backslash. After a here-document bash adds some.
  breaks=${__hansard_text//[!$'\n']/}
  [[ ${#breaks} == "$__hansard_more" && ($__hansard_more == 0 || $__hansard_text != *'<<'*) ]] || __hansard_kind=joined
  # 64 KiB is the longest marker that is read.
  ((${#__hansard_text} <= 40000))
}

# Adds to fields the prompt of continued lines, which tells what of a row on the screen was typed. One that bash expands may say
# something else each time.
__hansard_continuation() {
  local prompt=${PS2//"$__hansard_ps2"/}
  [[ -n $prompt && $prompt != *[\\\`\$[:cntrl:]]* ]] || return 0
  __hansard_base64 "$prompt"
  fields+=";ps2_b64=$__hansard_b64"
}

# Without cmdhist every line is an entry, but for comments and blank lines.
__hansard_typed_apart() {
  local number=${__hansard_bang@P} line text=
  local -i count=number-__hansard_number
  [[ ${PS2-} == *"$__hansard_ps2"* ]] && ((count > 0 && count <= __hansard_more + 1)) || return 1
  if [[ ${HISTTIMEFORMAT+x} && ${HISTTIMEFORMAT@a} == *r* ]]; then return 1; fi
  while IFS= read -r line; do
    [[ $line =~ ^\ *[0-9]+..@(.*)$ ]] || return 1
    text+=${BASH_REMATCH[1]}$'\n'
  done < <(HISTTIMEFORMAT=@ builtin history "$count")
  __hansard_text=${text%$'\n'}
  ((count == __hansard_more + 1)) || __hansard_kind=joined
  ((${#__hansard_text} <= 40000))
}

# Printed by PS0, in a command substitution.
__hansard_begin() {
  __hansard_calm
  local fields=seq=$__hansard_seq
  if [[ $__hansard_ended != "$((__hansard_seq - 1))" ]]; then
    # Nothing of ours ran at the last prompt: somebody replaced PROMPT_COMMAND and PS1.
    : "${__hansard_reason:=PROMPT_COMMAND and PS1 were replaced}"
    __hansard_prompt_mark
    __hansard_lost=1
  elif __hansard_typed; then
    __hansard_base64 "$__hansard_text"
    fields+=";${__hansard_kind}_b64=$__hansard_b64"
    [[ $__hansard_kind == cmd ]] || __hansard_continuation
  fi
  __hansard_folder
  __hansard_clock
  fields+=";cwd_b64=$__hansard_cwd_b64$__hansard_ts"
  # More lines than one were typed: what stands on the screen holds PS2 between them.
  ((__hansard_more == 0)) || fields+=";lines=$((__hansard_more + 1))"
  if __hansard_ignores_space; then fields+=';nohist=1'; fi
  __hansard_print BLOCK_BEGIN "$fields"
  ((__hansard_lost == 0)) || __hansard_ask_again
}

# Our parts of PROMPT_COMMAND are lost. The shell adds one to an array or a string; where that must not be, it has a trap, which bash runs
# when this substitution is over and before the command. (Not from PS1: there the signal would wait until the parser reads the next
# substitution, and be read as a part of it.)
__hansard_ask_again() {
  if __hansard_may_add; then
    builtin printf 1 >&3
  elif [[ -z $__hansard_hopeless ]]; then
    builtin kill -URG $$
  fi
}

# PROMPT_COMMAND may become an array: one is not exported.
__hansard_may_add() {
  [[ $__hansard_arrays && ${PROMPT_COMMAND@a} != *[rx]* ]]
}

# __bp_ignorespace: bash-preexec takes ignorespace out of HISTCONTROL and deletes such lines itself.
__hansard_ignores_space() {
  case :${HISTCONTROL-}: in *:ignorespace:* | *:ignoreboth:*) return 0 ;; esac
  case :${HISTIGNORE-}: in *:' '* | *:'[ '* | *:'[[:space:]'* | *:'[[:blank:]'* | *:'\ '*) return 0 ;; esac
  [[ -n ${__bp_ignorespace-} ]]
}

# Leaves the folder's base64 in __hansard_cwd_b64. A subshell of ours finds it made by the prompt before.
__hansard_folder() {
  [[ $__hansard_cwd != "$PWD" ]] || return 0
  __hansard_base64 "$PWD"
  __hansard_cwd=$PWD
  __hansard_cwd_b64=$__hansard_b64
}

# Leaves in __hansard_words which of the words that somebody asks about are aliases, for what, and which are functions: lists by
# ASCII's separators. No other alias is told: it may hold a secret. No fork: names and values of one table come in the same order.
__hansard_look() {
  local IFS=$'\x1f' word found=()
  # Each use of BASH_ALIASES makes it anew.
  word="${!BASH_ALIASES[*]}"$'\x1e'"${BASH_ALIASES[*]}"
  [[ $word == "$__hansard_aliases" && -n $__hansard_alias_lists ]] || { __hansard_aliases=$word; __hansard_list_aliases; }
  IFS=' '
  for word in $__hansard_checked; do
    ! builtin declare -F -- "$word" || found+=("$word")
  done
  IFS=$'\x1f'
  __hansard_words=$__hansard_alias_lists$'\x1e'g$'\x1e's$'\x1e'"f${found[*]-}"$'\x1e'c${__hansard_checked// /$'\x1f'}
} > /dev/null 2>&1

# Those of the aliases that somebody asks about.
__hansard_list_aliases() {
  local IFS=$'\x1f' names=("${!BASH_ALIASES[@]}") values=("${BASH_ALIASES[@]}") aliases=() stands=()
  local -i i
  for i in "${!names[@]}"; do
    [[ " $__hansard_checked " != *" ${names[i]} "* ]] || { aliases+=("${names[i]}") stands+=("${values[i]}"); }
  done
  __hansard_alias_lists="a${aliases[*]-}"$'\x1e'"v${stands[*]-}"
}

# The words that somebody asks about: the first line of a file, which changes with the person's rules. No fork.
__hansard_read_checked() {
  local words=
  [[ -r $__hansard_words_file ]] || return 0
  IFS= read -r words < "$__hansard_words_file" || :
  [[ $words == "$__hansard_checked" ]] || __hansard_checked=$words __hansard_alias_lists=
} 2> /dev/null

# In the person's shell, before their prompt code.
__hansard_tell() {
  __hansard_read_checked
  __hansard_look
  __hansard_words_b64=
  [[ $__hansard_words != "$__hansard_told" ]] || return 0
  __hansard_told=$__hansard_words
  __hansard_words_n=$((__hansard_words_n + 1))
  __hansard_base64 "$__hansard_words"
  # What is too long for a marker stays untold.
  ((${#__hansard_b64} > 50000)) || __hansard_words_b64=$__hansard_b64
}

# Leaves in __hansard_names where this shell looks for commands and which it has besides, by name alone; '' where that is not sure.
# A fork and about 1 ms. There is no report if one of them has more than printable ASCII.
__hansard_look_names() {
  local IFS=$' \t\n' LC_ALL=C name known
  __hansard_names=
  # A folder is a command then, and one of CDPATH is anywhere.
  [[ -z ${CDPATH-} ]] || ! shopt -q autocd || return 0
  known=$(builtin compgen -abk -A function -X '_*')
  known=${known//$'\n'/,}
  for name in "${!BASH_CMDS[@]}"; do
    # Put there by `hash -p`.
    [[ :$PATH: == *:"${BASH_CMDS[$name]%/*}":* ]] || known+=,$name
  done
  [[ $PATH$known != *[!\ -~]* && $PATH$known != *\;* ]] || return 0
  ((${#PATH} + ${#known} > 30000)) || __hansard_names="path=$PATH;known=$known"
} 2> /dev/null

# In the person's shell, before their prompt code.
__hansard_tell_names() {
  __hansard_look_names
  __hansard_names_now=
  [[ $__hansard_names != "$__hansard_names_told" ]] || return 0
  __hansard_names_told=$__hansard_names
  __hansard_names_n=$((__hansard_names_n + 1))
  __hansard_names_now=$__hansard_names
}

__hansard_prompt_mark() {
  local fields
  __hansard_folder
  fields="cwd_b64=$__hansard_cwd_b64;shell=bash;version=$__hansard_version;words=$$.$__hansard_words_n"
  [[ -z $__hansard_words_b64 ]] || fields+=";words_b64=$__hansard_words_b64"
  # 64 KiB is the longest marker that is read.
  if [[ -n ${__hansard_names_told-} ]] && ((${#__hansard_words_b64} + ${#__hansard_names_told} < 60000)); then
    fields+=";names=$$.$__hansard_names_n"
    [[ -z $__hansard_names_now ]] || fields+=";$__hansard_names_now"
  fi
  if [[ -n $__hansard_reason ]]; then
    __hansard_base64 "$__hansard_reason"
    fields+=";degraded=$__hansard_b64"
  fi
  __hansard_print PROMPT "$fields"
}

# $1: status of the last command. Last element of PROMPT_COMMAND, in a command substitution.
__hansard_prompt() {
  __hansard_calm
  if [[ $__hansard_ended != "$__hansard_seq" ]]; then
    : "${__hansard_reason:=PROMPT_COMMAND was replaced}"
    __hansard_end_mark "$1"
  fi
  # The person's prompt code may have changed them again: the next prompt tells.
  __hansard_look
  [[ $__hansard_words == "$__hansard_told" ]] || __hansard_words_n=0 __hansard_words_b64=
  __hansard_look_names
  [[ $__hansard_names == "$__hansard_names_told" ]] || __hansard_names_n=0 __hansard_names_now=
  __hansard_prompt_mark
}

__hansard_end_mark() {
  __hansard_clock
  __hansard_print BLOCK_END "seq=$__hansard_seq;exit=$1$__hansard_ts"
}

# $1: status of the last command, $2: the person's DEBUG and ERR traps, only asked for when it matters. First element of
# PROMPT_COMMAND, in the person's shell: changes no option, leaves nothing but __hansard_* and the prompt variables.
__hansard_end() {
  local options=$-
  local -
  set +exuvfnTE
  __hansard_end_mark "$1"
  __hansard_ended=$__hansard_seq
  __hansard_lost=0 __hansard_more=0 __hansard_said=0
  __hansard_assert "${2-}"
  __hansard_tell
  __hansard_tell_names
  if [[ -n $__hansard_alone ]]; then
    __hansard_prompt_mark
    __hansard_said=1
  fi
  # An element of its own needs no status: bash restores it for the next one. Within a string the status is for the code that
  # follows, unless a status would end the shell or run the person's ERR trap a second time.
  [[ -n $__hansard_shared && $options != *e* && ${2-} != *' ERR'* ]] || return 0
  return "$1"
}

# An element of PROMPT_COMMAND for once, after others of ours were replaced.
__hansard_rescue() {
  local -
  set +exuvfnTE
  if [[ $__hansard_ended == "$__hansard_seq" ]]; then
    __hansard_lost=0
    __hansard_assert ''
  else
    __hansard_end "$1"
    ((__hansard_said)) || __hansard_prompt_mark
    __hansard_said=1
  fi
}

# Runs on SIGURG, which PS0 sends when it finds others of ours replaced; the command it belongs to has yet to end.
__hansard_again() {
  local -
  set +exuvfnTE
  __hansard_ended=$((__hansard_seq - 1))
  __hansard_lost=0
  __hansard_assert ''
  __hansard_hopeless=$__hansard_reason
}

# Puts our parts where they belong; says in __hansard_reason what it could not. $1: DEBUG and ERR traps if they were asked for.
__hansard_assert() {
  if [[ -n ${BLE_VERSION-} && -z $__hansard_ble ]]; then
    __hansard_ble=1
    source "$__hansard_home/bash-with-ble.bash"
  fi
  __hansard_reason=$__hansard_ble_reason
  if [[ $__hansard_wrap == __hansard_wrap_late && $1 == *' DEBUG'* && $1 != *__bp_preexec_invoke_exec* ]]; then
    __hansard_wrap=asked
  fi
  __hansard_place_prompts "$1"
  __hansard_place_commands
  if [[ -n $__hansard_wrap || -n $__hansard_shared ]]; then
    __hansard_first='__hansard_end "$?" "$(builtin trap -p DEBUG ERR)"'
  else
    __hansard_first='__hansard_end "$?"'
  fi
}

# $1: name, $2: value. Assigns, or notes that it is read-only. The trial is a subshell, since a refused assignment ends a function.
__hansard_set() {
  [[ ${!1-} != "$2" ]] || return 0
  if (builtin printf -v "$1" %s '') 2>/dev/null; then
    builtin printf -v "$1" %s "$2"
  else
    __hansard_reason="$1 is read-only"
    return 1
  fi
}

__hansard_place_prompts() {
  local head=$__hansard_ps1 before=${PS0-} more=${PS2-}
  # Without promptvars our parts would be shown as they are written.
  if shopt -q promptvars; then
    [[ $before == *"$__hansard_ps0" ]] || __hansard_set PS0 "${before//"$__hansard_ps0"/}$__hansard_ps0" || :
    [[ $more == *"$__hansard_ps2" ]] || __hansard_set PS2 "${more//"$__hansard_ps2"/}$__hansard_ps2" || :
    head+=$__hansard_ps1_late
  else
    __hansard_reason='the shell option promptvars is off'
    __hansard_set PS0 "${before//"$__hansard_ps0"/}" || :
    __hansard_set PS2 "${more//"$__hansard_ps2"/}" || :
  fi
  # Comparing is cheap where a prompt of megabytes is not to be searched every time.
  if [[ -n ${PS1-} && $head$PS1 != "$__hansard_ps1_now" ]]; then
    [[ -z $__hansard_wrapped || $PS1 == *"$__hansard_ps1"* ]] || __hansard_late_needed "$1"
    __hansard_wrap_prompt "$head"
  elif [[ $__hansard_wrap == asked ]]; then
    __hansard_wrap=
  fi
}

# Leaves PS1 without our parts in __hansard_bare. It may hold copies in odd places: `PS1="(venv) $PS1"`.
__hansard_bare_prompt() {
  __hansard_bare=${PS1//"$__hansard_ps1_late"/}
  __hansard_bare=${__hansard_bare//"$__hansard_ps1"/}
  __hansard_bare=${__hansard_bare//"$__hansard_ps1_end"/}
}

# $1: what goes before the prompt.
__hansard_wrap_prompt() {
  __hansard_bare_prompt
  if __hansard_set PS1 "$1$__hansard_bare$__hansard_ps1_end"; then __hansard_wrapped=1 __hansard_ps1_now=$1$PS1; fi
}

# The prompt code sets PS1 anew. To wrap it after that means a command of ours after the person's, and that fires a DEBUG trap:
# only without one, or with bash-preexec's, which passes over commands whose stdout is no terminal.
__hansard_late_needed() {
  __hansard_wrap=asked
  [[ $__hansard_first == *DEBUG* ]] || return 0
  [[ $1 == *' DEBUG'* && $1 != *__bp_preexec_invoke_exec* ]] || __hansard_wrap=__hansard_wrap_late
}

# After the person's prompt code. Finding nothing to do, it asks to be taken out.
__hansard_wrap_late() {
  local -
  set +exuvfnTE
  local head=$__hansard_ps1
  ! shopt -q promptvars || head+=$__hansard_ps1_late
  if [[ -z ${PS1-} || $PS1 == *"$__hansard_ps1_end" ]]; then
    __hansard_wrap=
  else
    __hansard_wrap_prompt "$head"
  fi
}

# $1: text of one element. Leaves it without our parts in __hansard_bare, '' if only blanks are left.
__hansard_strip() {
  __hansard_bare=${1//"$__hansard_head"/}
  __hansard_bare=${__hansard_bare//"$__hansard_tail"/}
  __hansard_bare=${__hansard_bare//"$__hansard_late"/}
  __hansard_bare=${__hansard_bare//"$__hansard_mend"/}
  while [[ $__hansard_bare == $'\n'* ]]; do __hansard_bare=${__hansard_bare#$'\n'}; done
  while [[ $__hansard_bare == *$'\n' ]]; do __hansard_bare=${__hansard_bare%$'\n'}; done
  [[ $__hansard_bare == *[!$' \t\n;']* ]] || __hansard_bare=
}

# PROMPT_COMMAND keeps its type. Lines of a string are joined by newlines, since the person's may end in `;` or a comment.
__hansard_place_commands() {
  local tail=$__hansard_tail nl=$'\n'
  __hansard_alone=
  [[ $__hansard_wrap != __hansard_wrap_late ]] || tail+=$nl$__hansard_late
  if [[ ${PROMPT_COMMAND@a} == *a* || ${#PROMPT_COMMAND[@]} -gt 1 ]]; then
    __hansard_place_elements "$tail"
    return
  fi
  __hansard_shared=
  __hansard_strip "${PROMPT_COMMAND-}"
  if [[ -z $__hansard_bare && ${PROMPT_COMMAND@a} != *[rx]* && $__hansard_arrays ]]; then
    if ! (PROMPT_COMMAND=x) 2>/dev/null; then
      __hansard_reason='PROMPT_COMMAND is read-only'
    elif [[ -z ${PROMPT_COMMAND-} ]]; then
      unset -v PROMPT_COMMAND
      PROMPT_COMMAND=("$__hansard_head" "$tail")
    fi
    return
  fi
  if [[ -n $__hansard_bare ]]; then __hansard_shared=1; else __hansard_alone=1; fi
  __hansard_set PROMPT_COMMAND "$__hansard_head$nl${__hansard_bare:+$__hansard_bare$nl}$tail" || :
}

# $1: the tail. Elements are changed in place and only appended: bash is walking the list while we do this.
__hansard_place_elements() {
  local at=("${!PROMPT_COMMAND[@]}")
  local -i first=${at[0]-0} last=${at[${#at[@]} - 1]-0} i
  if [[ $last -gt $first && ${PROMPT_COMMAND[first]-} == "$__hansard_head" && ${PROMPT_COMMAND[last]} == "$1" ]]; then
    [[ ${#at[@]} -ne 2 ]] || __hansard_alone=1
    return 0
  fi
  (PROMPT_COMMAND[first]=x) 2>/dev/null || { __hansard_reason='PROMPT_COMMAND is read-only'; return 0; }
  for i in "${at[@]}"; do
    __hansard_strip "${PROMPT_COMMAND[i]}"
    [[ ${PROMPT_COMMAND[i]} == "$__hansard_bare" ]] || PROMPT_COMMAND[i]=$__hansard_bare
  done
  __hansard_shared=
  [[ -z ${PROMPT_COMMAND[first]-} ]] || __hansard_shared=1
  PROMPT_COMMAND[first]=$__hansard_head${PROMPT_COMMAND[first]:+$'\n'${PROMPT_COMMAND[first]}}
  if [[ $last -gt $first && -z ${PROMPT_COMMAND[last]} ]]; then
    PROMPT_COMMAND[last]=$1
  else
    PROMPT_COMMAND+=("$1")
  fi
}

# Before bash is walking the list: our head becomes an element of its own, so that the person's keep $? and PIPESTATUS.
__hansard_install() {
  local -
  set +exuvfnTE
  __hansard_may_add || [[ -n $(builtin trap -p URG) ]] || builtin trap __hansard_again URG
  if [[ ${PROMPT_COMMAND@a} == *a* ]] && (PROMPT_COMMAND=x) 2>/dev/null; then
    PROMPT_COMMAND=("$__hansard_head" "${PROMPT_COMMAND[@]}" "$__hansard_tail")
  fi
  __hansard_assert ''
}

# The person's files, at the top level, so that `declare` there is global: as bash does for an interactive shell. The system's
# bashrc has been read by bash itself, with or without --rcfile.
if [[ $__hansard_start == start && -r ~/.bashrc ]]; then
  source ~/.bashrc
  __hansard_status=$?
elif [[ $__hansard_start == login ]]; then
  [[ ! -r /etc/profile ]] || source /etc/profile
  if [[ -r ~/.bash_profile ]]; then
    source ~/.bash_profile
  elif [[ -r ~/.bash_login ]]; then
    source ~/.bash_login
  elif [[ -r ~/.profile ]]; then
    source ~/.profile
  fi
  __hansard_status=$?
  [[ ! -r ~/.bash_logout || -n $(builtin trap -p EXIT) ]] || builtin trap 'source ~/.bash_logout' EXIT
fi

if [[ -z ${__hansard_nonce:+1} ]]; then
  unset -v __hansard_on
elif ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
  source "${BASH_SOURCE[0]%/*}/bash-before-4.4.bash"
else
  __hansard_install
fi

# The first prompt shows the status the files ended with. Not where a failing command ends the shell or is trapped.
[[ $__hansard_status == 0 || $- == *e* || -n $(builtin trap -p ERR) ]] || (exit "$__hansard_status")
