import { shellName } from './launchPlan.ts';

const POSIX =
  'alias bg break builtin caller cd command continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout popd printf pushd pwd read readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait . : [ [[ ]] if then else elif fi case esac for select while until do done function time { } ! in coproc';
const ZSH =
  'autoload bindkey compdef disable emulate float functions integer limit noglob nocorrect print rehash setopt unfunction unhash unlimit unsetopt vared whence where which zcompile zle zmodload zparseopts zstyle repeat foreach end always';
const FISH =
  'abbr and argparse begin bg bind block break breakpoint builtin case cd command commandline complete contains continue count disown echo else emit end eval exec exit false fg for function functions history if in jobs math not or path printf pwd random read return set set_color source status string switch test time true type ulimit wait while . : [ ! { }';

/**
 * How a shell reads quotes: `posix`; `backslash`, where backslashes also count within single quotes; or `backquote`, where the backquote is
 * the escape and quotes are doubled.
 */
export type QuotingDialect = 'posix' | 'backslash' | 'backquote';

export interface ShellLanguage {
  quoting: QuotingDialect;
  /** Builtins and keywords, which are not files. */
  words: ReadonlySet<string>;
}

const BASH: ShellLanguage = { quoting: 'posix', words: split(POSIX) };
const LANGUAGES: ReadonlyMap<string, ShellLanguage> = new Map([
  ['zsh', { quoting: 'posix', words: split(`${POSIX} ${ZSH}`) }],
  ['fish', { quoting: 'backslash', words: split(FISH) }],
  ['pwsh', { quoting: 'backquote', words: new Set<string>() }],
  ['powershell', { quoting: 'backquote', words: new Set<string>() }],
]);

/** Finds the language by the shell's name or path; bash's for other shells. */
export function shellLanguage(shell: string): ShellLanguage {
  return LANGUAGES.get(shellName(shell)) ?? BASH;
}

function split(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
