# zsh reads this first when ZDOTDIR is this folder; the hook gives the person's ZDOTDIR back at once.
source "${ZDOTDIR:h}/hansard.zsh"
