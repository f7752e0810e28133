# zsh reads this first when ZDOTDIR is this folder; the hook gives the person's ZDOTDIR back at once. The hook's path has a variable of
# its own, since zsh 5.9 garbles $ZDOTDIR while it reads this: `à` and `日` in it become other bytes.
source "$HANSARD_HOOK"
