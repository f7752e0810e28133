import { programName } from './programs.ts';

/**
 * Programs whose options were read one by one in the manual of that version: those that run something or write a file are in RISKY_OPTIONS, and
 * all others only say what is printed and how. A newer version may have more, so a new manual is read before the version here is changed.
 */
const REVIEWED: Readonly<Record<string, string>> = {
  ...of(
    'GNU coreutils 9.1',
    `ls dir vdir cat tac head tail wc nl cut tr sort uniq comm join paste fold fmt pr seq stat du df basename dirname realpath readlink id
     whoami uname sleep true false echo pwd md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum od base32 base64 basenc
     expand unexpand tsort factor numfmt nproc users who groups logname arch printenv hostid date shuf pathchk`,
  ),
  ...of('GNU grep 3.8', 'grep egrep fgrep'),
  ...of('GNU findutils 4.9.0', 'find'),
  ...of('GNU diffutils 3.8', 'diff cmp'),
  ...of('GNU sed 4.9', 'sed'), // its scripts have rules of their own, see isPlainSed
  ...of('procps-ng 4.0.2', 'ps pgrep free uptime w'),
  ...of('ripgrep 13.0.0', 'rg'),
  ...of('jq 1.6', 'jq'),
  ...of('git 2.39.5', 'git'),
};

/** Options that are harmless in any program: they change how it prints, not what it does. */
const HARMLESS: ReadonlySet<string> = new Set(
  '--help --version --verbose --quiet --color --color=auto --color=always --color=never --no-color --no-pager --json -h -V -v -q'.split(
    ' ',
  ),
);
/** Programs whose first word is options without a dash too. */
const DASHLESS: ReadonlySet<string> = new Set(['tar', 'gtar', 'bsdtar', 'star', 'ar']);

function of(manual: string, programs: string): Record<string, string> {
  return Object.fromEntries(programs.split(/\s+/).map((program) => [program, manual]));
}

/** The manual from which the program's options are known, or null. */
export function manualOf(word: string): string | null {
  const name = programName(word);
  return (Object.hasOwn(REVIEWED, name) ? REVIEWED[name] : undefined) ?? null;
}

/** The first unreviewed option after the first `named` words, or null. "--" ends no options, see hasFlag. */
export function unreviewedOption(argv: readonly string[], named = 1): string | null {
  const [program = ''] = argv;
  if (manualOf(program) !== null) return null;
  const isOption = (word: string, at: number): boolean =>
    /^-./.test(word) || (at === 1 && DASHLESS.has(programName(program)));
  return argv.find((word, at) => at >= named && isOption(word, at) && !HARMLESS.has(word)) ?? null;
}
