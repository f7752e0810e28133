/**
 * Behaves like powerlevel10k in zsh with POWERLEVEL9K_TERM_SHELL_INTEGRATION and POWERLEVEL9K_TRANSIENT_PROMPT=always, rewritten for these
 * tests after its sources: both prompts contain OSC 133 A and B, preexec and precmd print C and D, an accepted or interrupted line is
 * drawn again after the transient prompt, and a prompt with late parts redraws itself.
 */
export const P10K_STAND_IN = String.raw`
setopt prompt_subst interactive_comments
zmodload zsh/system
autoload -Uz add-zsh-hook
_p9k_prompt=$'%{\e]133;A\a%}%F{31}%~%f ${'$'}{_p9k_late-} ❯ %{\e]133;B\a%}'
_p9k_transient_prompt=$'%{\e]133;A\a%}%b%k%s%u%(?\x01%F{76}❯\x01%F{196}❯)%b%k%f%s%u %{\e]133;B\a%}'
_p9k_status=0 _p9k_ran=
_p9k_precmd() {
  _p9k_status=$?
  [[ -z $_p9k_ran ]] || print -n "\e]133;D;$_p9k_status\a"
  _p9k_ran= _p9k_late=
  PROMPT=$_p9k_prompt RPROMPT='%F{66}%D{%H}%f'
  unset _p9k_line_finished
  # As gitstatusd does: the answer comes when the line is being edited.
  exec {_p9k_fd}< <(sleep 0.05; print main)
  zle -F $_p9k_fd _p9k_answer
}
_p9k_answer() {
  zle -F $1
  exec {1}<&-
  _p9k_late=main
  zle .reset-prompt
}
_p9k_preexec() { _p9k_ran=1; print -n '\e]133;C;\a' }
add-zsh-hook precmd _p9k_precmd
add-zsh-hook preexec _p9k_preexec
_p9k_reset_prompt() { zle .reset-prompt; zle -R }
_p9k_finish() {
  (( ${'$'}{+_p9k_line_finished} )) && return
  _p9k_line_finished=
  RPROMPT= PROMPT=$_p9k_transient_prompt _p9k_reset_prompt
}
zle -N zle-line-finish _p9k_finish
_p9k_break() { _p9k_finish; zle .send-break }
zle -N send-break _p9k_break
TRAPINT() { zle && _p9k_finish; return $((128 + $1)) }
`;
