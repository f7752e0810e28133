# @shells zsh
# @args ["-i"]
# @login-args ["-i", "-l"]
# @env {"HANSARD_NONCE_FILE": "{nonceFile}", "HANSARD_HOOK": "{hook}", "ZDOTDIR": "{hooksDir}/zdotdir", "HANSARD_ZDOTDIR": "{env.ZDOTDIR}", "HANSARD_WORDS": "{env.HANSARD_WORDS}"}
# @source HANSARD_NONCE_FILE='{nonceFile}'; (( ${+ZDOTDIR} )) && HANSARD_ZDOTDIR=$ZDOTDIR; source '{hook}'
# @quality rich
#
# Read by zdotdir/.zshenv. zsh then reads the person's .zprofile, .zshrc and .zlogin itself; only their .zshenv is read from here.
# Functions have their output redirected as a whole: nothing that a trap prints within them is seen. The trace of xtrace goes past
# that, but not past the redirection of a group, which is why their first lines stand in one. Markers go to /dev/tty, one print each.
#
# zsh writes PROMPT_SP (PROMPT_EOL_MARK, spaces, CR) before any precmd. So that those bytes lie behind BLOCK_END,
# PROMPT_EOL_MARK itself begins with BLOCK_END while a command runs; precmd prints a second one for shells with PROMPT_SP
# switched off, and gives the person's PROMPT_EOL_MARK back.

# The file is emptied once it is read: what the nonce was stands nowhere but in this shell's memory.
typeset -g +x __hansard_nonce=
[[ -z ${HANSARD_NONCE_FILE-} ]] ||
  { IFS= builtin read -r __hansard_nonce < "$HANSARD_NONCE_FILE" && : >| "$HANSARD_NONCE_FILE" } 2>/dev/null || __hansard_nonce=
typeset -g +x __hansard_words_file=${HANSARD_WORDS-} __hansard_checked=
unset HANSARD_NONCE_FILE HANSARD_HOOK HANSARD_WORDS
if (( ${+HANSARD_ZDOTDIR} )); then
  export ZDOTDIR=$HANSARD_ZDOTDIR
  unset HANSARD_ZDOTDIR
else
  unset ZDOTDIR
fi

typeset -gi +x __hansard_seq=0
typeset -gi +x __hansard_running=0
typeset -gi +x __hansard_prompted=0
typeset -g +x __hansard_line= __hansard_b64= __hansard_reason= __hansard_mark= __hansard_user_mark=
typeset -gi +x __hansard_had_mark=0
typeset -gi +x __hansard_sched=0   # 1: zsh/sched is loaded for us alone
# What this shell told last of its aliases and functions, how often it told (0: not to be counted on), and what this prompt tells.
typeset -g +x __hansard_told= __hansard_words_b64=
typeset -gi +x __hansard_words_n=0
# The same of the names of all commands that are not on PATH.
typeset -g +x __hansard_names_told= __hansard_names_now=
typeset -gi +x __hansard_names_n=0
# `%{%}` within: the text of PROMPT_EOL_MARK, printed as it is, must not be a marker; expanded as a prompt it is one.
typeset -g +x __hansard_osc=$'\e]77%{%}17;'
typeset -g +x __hansard_clock='%D{%s%3.}'   # milliseconds, by prompt expansion: needs no module and no process
typeset -g +x __hansard_ps1=$'%{\e]133;P;k=i\a%}'
typeset -g +x __hansard_ps1_end=$'%{\e]133;B\a%}'

# all_export, set by whoever loads this into a nested shell, has exported all of them in spite of the +x.
typeset -g +x -m '__hansard_*'

# $1: text. Leaves its base64 in __hansard_b64. Long text goes through base64(1): the loop takes 3 µs a byte.
__hansard_base64() {
  emulate -L zsh -o no_all_export -o no_multibyte -o no_xtrace -o no_err_exit -o no_err_return
  local s=$1 table=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/
  local LC_ALL=C x y z
  local -i i n=${#s} a b c
  __hansard_b64=
  if (( n > 400 )); then
    __hansard_b64=$(builtin print -rn -- "$s" | command base64 2>/dev/null)
    __hansard_b64=${__hansard_b64//[^A-Za-z0-9+\/=]/}
    [[ -z $__hansard_b64 ]] || return 0
  fi
  for (( i = 1; i <= n; i += 3 )); do
    x=$s[i] y=$s[i+1] z=$s[i+2]
    (( a = #x & 255, b = #y & 255, c = #z & 255, 1 ))
    __hansard_b64+=${table[1+(a>>2)]}${table[1+((a&3)<<4|b>>4)]}${table[1+((b&15)<<2|c>>6)]}${table[1+(c&63)]}
  done
  case $(( n % 3 )) in
    1) __hansard_b64=${__hansard_b64[1,-3]}== ;;
    2) __hansard_b64=${__hansard_b64[1,-2]}= ;;
  esac
  return 0
}

# $1: event, $2: fields.
__hansard_print() {
  builtin printf '\e]7717;%s;%s;%s\a' "$__hansard_nonce" "$1" "$2" >/dev/tty
}

# First in precmd_functions: the command has ended.
__hansard_end() {
  {
    local -i code=$?
    emulate -L zsh -o no_all_export -o no_aliases -o no_xtrace -o no_err_exit -o no_err_return
  } 2>/dev/null
  if (( __hansard_running )); then
    __hansard_running=0
    __hansard_print BLOCK_END "seq=$__hansard_seq;exit=$code;ts=${(%)__hansard_clock}"
    __hansard_release_mark
  fi
  return 0
} >/dev/null 2>&1

# Which of the words that somebody asks about are aliases, for what, and which are functions; and the names of aliases that stand
# anywhere. Lists by ASCII's separators. What other aliases stand for is not told: it may hold a secret.
__hansard_tell() {
  local word words
  local -a checked found names stands globals suffixes
  __hansard_words_b64=
  # To ask whether the table of functions is set would walk through all of them.
  builtin zmodload -F zsh/parameter +p:functions +p:aliases +p:galiases +p:saliases || { __hansard_words_n=0; return 0 }
  # The words that somebody asks about: the first line of a file, which changes with the person's rules.
  [[ ! -r $__hansard_words_file ]] || { IFS= builtin read -r __hansard_checked < "$__hansard_words_file" } 2>/dev/null || :
  checked=(${(s: :)__hansard_checked})
  for word in $checked; do
    (( ! ${+functions[$word]} )) || found+=("$word")
    (( ! ${+aliases[$word]} )) || names+=("$word") stands+=("$aliases[$word]")
  done
  globals=("${(@k)galiases}") suffixes=("${(@k)saliases}")
  words="a${(pj:\x1f:)names}"$'\x1e'"v${(pj:\x1f:)stands}"$'\x1e'"g${(pj:\x1f:)globals}"$'\x1e'"s${(pj:\x1f:)suffixes}"
  words+=$'\x1e'"f${(pj:\x1f:)found}"$'\x1e'"c${(pj:\x1f:)checked}"
  [[ $words != "$__hansard_told" ]] || return 0
  __hansard_told=$words
  (( __hansard_words_n += 1 ))
  __hansard_base64 "$words"
  # What is too long for a marker stays untold.
  (( ${#__hansard_b64} > 50000 )) || __hansard_words_b64=$__hansard_b64
  return 0
}

# $1: 1 where a folder is a command that may be anywhere. Where this shell looks for commands and which it has besides, by name
# alone; nothing where that is not sure. There is no report if one of them has more than printable ASCII.
__hansard_tell_names() {
  local LC_ALL=C known names=
  local -a found
  __hansard_names_now=
  builtin zmodload -F zsh/parameter +p:functions +p:aliases +p:galiases +p:saliases +p:builtins +p:reswords || return 0
  if (( ! $1 )); then
    found=(${${(k)functions}:#_*} ${(k)aliases} ${(k)galiases} ${(k)builtins} $reswords '*.'${^${(k)saliases}})
    known=${(j:,:)found}
    names="path=$PATH;known=$known"
    [[ $PATH$known != *[^\ -~]* && $PATH$known != *\;* ]] && (( ${#names} < 30000 )) || names=
  fi
  [[ $names != "$__hansard_names_told" ]] || return 0
  __hansard_names_told=$names
  (( __hansard_names_n += 1 ))
  __hansard_names_now=$names
  return 0
}

# Last in precmd_functions: the prompt is about to be drawn.
__hansard_prompt() {
  {
    setopt local_options no_xtrace
  } 2>/dev/null
  local -i percent=0
  [[ ! -o prompt_percent ]] || percent=1
  local -i anywhere=0
  [[ ! -o auto_cd || ( ${#cdpath} == 0 && ! -o cdable_vars ) ]] || anywhere=1
  emulate -L zsh -o no_all_export -o no_aliases -o no_xtrace -o no_err_exit -o no_err_return
  __hansard_assert
  __hansard_wrap_prompt $percent
  local fields
  __hansard_tell
  __hansard_base64 "$PWD"
  fields="cwd_b64=$__hansard_b64;shell=zsh;version=$ZSH_VERSION;words=$$.$__hansard_words_n"
  [[ -z $__hansard_words_b64 ]] || fields+=";words_b64=$__hansard_words_b64"
  __hansard_tell_names $anywhere
  # 64 KiB is the longest marker that is read.
  if [[ -n $__hansard_names_told ]] && (( ${#__hansard_words_b64} + ${#__hansard_names_told} < 60000 )); then
    fields+=";names=$$.$__hansard_names_n"
    [[ -z $__hansard_names_now ]] || fields+=";$__hansard_names_now"
  fi
  if [[ -n $__hansard_reason ]]; then
    __hansard_base64 "$__hansard_reason"
    fields+=";degraded=$__hansard_b64"
  fi
  __hansard_print PROMPT "$fields"
  __hansard_prompted=1
  return 0
} >/dev/null 2>&1

# Last in preexec_functions. $1: the line as it was typed but for hist_reduce_blanks, '' when zsh keeps no history.
__hansard_begin() {
  {
    setopt local_options no_xtrace
  } 2>/dev/null
  local -i ignores_space=0
  local -i reduces_blanks=0
  [[ ! -o hist_ignore_space ]] || ignores_space=1
  [[ ! -o hist_reduce_blanks ]] || reduces_blanks=1
  emulate -L zsh -o no_all_export -o no_aliases -o no_xtrace -o no_err_exit -o no_err_return
  __hansard_assert
  (( ! __hansard_sched )) || __hansard_leave_sched
  (( __hansard_seq += 1, __hansard_running = 1 ))
  local fields=seq=$__hansard_seq
  local text=$1
  if [[ $1 != "$__hansard_line" ]]; then
    if [[ ${1//[[:space:]]/} == "${__hansard_line//[[:space:]]/}" ]]; then
      text=$__hansard_line
    elif (( reduces_blanks )); then
      text=
    fi
  fi
  __hansard_line=
  if [[ -n $text ]]; then
    __hansard_base64 "$text"
    # 64 KiB is the longest marker that is read.
    (( ${#__hansard_b64} > 54000 )) || fields+=";cmd_b64=$__hansard_b64"
  fi
  __hansard_base64 "$PWD"
  fields+=";cwd_b64=$__hansard_b64;ts=${(%)__hansard_clock}"
  (( ! ignores_space )) || fields+=';nohist=1'
  __hansard_print BLOCK_BEGIN "$fields"
  __hansard_hold_mark
  return 0
} >/dev/null 2>&1

# Runs before preexec and gets the line as it was typed; puts our functions back when somebody assigned the arrays anew. Status 0:
# the line goes to history.
__hansard_addhistory() {
  {
    emulate -L zsh -o no_all_export -o no_aliases -o no_xtrace -o no_err_exit -o no_err_return
  } 2>/dev/null
  __hansard_line=${1%$'\n'}
  __hansard_assert
  return 0
} >/dev/null 2>&1

__hansard_hold_mark() {
  [[ ${(t)PROMPT_EOL_MARK} != *readonly* ]] || return 0
  __hansard_had_mark=${+PROMPT_EOL_MARK}
  __hansard_user_mark=${PROMPT_EOL_MARK-}
  __hansard_mark="%{$__hansard_osc$__hansard_nonce;BLOCK_END;seq=$__hansard_seq;exit=%?;ts=%D{%s%3.}"$'\a%}'
  __hansard_mark+=${PROMPT_EOL_MARK-'%B%S%#%s%b'}
  typeset -g +x PROMPT_EOL_MARK=$__hansard_mark
}

# What the command itself did to PROMPT_EOL_MARK stays.
__hansard_release_mark() {
  [[ ${PROMPT_EOL_MARK-} == "$__hansard_mark" && -n $__hansard_mark ]] || return 0
  if (( __hansard_had_mark )); then
    PROMPT_EOL_MARK=$__hansard_user_mark
  else
    unset PROMPT_EOL_MARK
  fi
  __hansard_mark=
}

# Our functions at their places, once each.
__hansard_assert() {
  __hansard_reason=
  if [[ ${(t)precmd_functions} == *readonly* || ${(t)preexec_functions} == *readonly* ]]; then
    __hansard_reason='precmd_functions or preexec_functions is read-only'
    return 0
  fi
  typeset -ga precmd_functions preexec_functions zshaddhistory_functions
  [[ ${precmd_functions[1]-} == __hansard_end && ${precmd_functions[-1]-} == __hansard_prompt ]] ||
    precmd_functions=(__hansard_end ${precmd_functions:#__hansard_(end|prompt)} __hansard_prompt)
  [[ ${preexec_functions[-1]-} == __hansard_begin ]] ||
    preexec_functions=(${preexec_functions:#__hansard_begin} __hansard_begin)
  (( ${zshaddhistory_functions[(Ie)__hansard_addhistory]} )) || zshaddhistory_functions+=(__hansard_addhistory)
  return 0
}

# $1: 1 when `%` means something in prompts. PS1 may hold copies of ours in odd places: `PS1="(venv) $PS1"`.
__hansard_wrap_prompt() {
  [[ -n ${PS1-} && ${(t)PS1} != *readonly* ]] || return 0
  local bare=${${PS1//"$__hansard_ps1"/}//"$__hansard_ps1_end"/}
  # A prompt that ends in one `%` would take ours for its argument.
  if (( ! $1 )) || [[ $bare == *% && $bare != *%% ]]; then
    [[ $PS1 == "$bare" ]] || PS1=$bare
  elif [[ $PS1 != "$__hansard_ps1$bare$__hansard_ps1_end" ]]; then
    PS1=$__hansard_ps1$bare$__hansard_ps1_end
  fi
  return 0
}

# Once, at the first prompt and after precmd: a .zshrc that assigned precmd_functions anew has taken us out.
__hansard_first() {
  (( __hansard_prompted )) || __hansard_prompt
}

# Before the first command: zsh loads the module again for whoever uses it.
__hansard_leave_sched() {
  __hansard_sched=0
  (( ${#zsh_scheduled_events} )) || builtin zmodload -u zsh/sched 2>/dev/null
}

if [[ -n ${__hansard_nonce:+1} && -o interactive ]]; then
  __hansard_assert
  builtin zmodload -e zsh/sched || __hansard_sched=1
  sched +00:00:00 __hansard_first 2>/dev/null
fi

[[ ! -r ${ZDOTDIR-$HOME}/.zshenv ]] || source "${ZDOTDIR-$HOME}/.zshenv"
