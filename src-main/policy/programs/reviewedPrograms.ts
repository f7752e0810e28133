import { programName } from './programs.ts';

/** Programs whose options were reviewed one by one in the manual of this version only. */
export interface ReviewedTable {
  readonly manual: string;
  /** A newer version may have more options: read its manual before changing this. */
  readonly version: string;
  readonly programs: readonly string[];
}

/** Options that run a program or write a file are in RISKY_OPTIONS; all others only affect the output. */
export const REVIEWED: readonly ReviewedTable[] = [
  {
    manual: 'GNU coreutils',
    version: '9.1',
    programs: words(
      `ls dir vdir cat tac head tail wc nl cut tr sort uniq comm join paste fold fmt pr seq stat du df basename dirname realpath readlink id
       whoami uname sleep true false echo pwd md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum od base32 base64
       basenc expand unexpand tsort factor numfmt nproc users who groups logname arch printenv hostid date shuf pathchk`,
    ),
  },
  { manual: 'GNU grep', version: '3.8', programs: words('grep egrep fgrep') },
  { manual: 'GNU findutils', version: '4.9.0', programs: words('find') },
  { manual: 'GNU diffutils', version: '3.8', programs: words('diff cmp') },
  { manual: 'GNU sed', version: '4.9', programs: words('sed') }, // scripts have their own check, see isPlainSed
  { manual: 'procps-ng', version: '4.0.2', programs: words('ps pgrep free uptime w') },
  { manual: 'ripgrep', version: '13.0.0', programs: words('rg') },
  { manual: 'jq', version: '1.6', programs: words('jq') },
  { manual: 'git', version: '2.39.5', programs: words('git') },
];

const BY_PROGRAM = new Map(REVIEWED.flatMap((table) => table.programs.map((program) => [program, table] as const)));

/** Options that are harmless in any program: they change how it prints, not what it does. */
export const HARMLESS_OPTIONS: ReadonlySet<string> = new Set(
  '--help --version --verbose --quiet --color --color=auto --color=always --color=never --no-color --no-pager --json -h -V -v -q'.split(
    ' ',
  ),
);
/** Programs whose first word may be options without a dash. */
const DASHLESS: ReadonlySet<string> = new Set(['tar', 'gtar', 'bsdtar', 'star', 'ar']);

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** The manual and version in which the program's options were reviewed; null if they were not. */
export function manualOf(word: string): string | null {
  const table = BY_PROGRAM.get(programName(word));
  return table ? `${table.manual} ${table.version}` : null;
}

/** The first unreviewed option after the first `named` words, or null. "--" ends no options, see hasFlag. */
export function unreviewedOption(argv: readonly string[], named = 1): string | null {
  const [program = ''] = argv;
  if (manualOf(program) !== null) return null;
  const isOption = (word: string, at: number): boolean =>
    /^-./.test(word) || (at === 1 && DASHLESS.has(programName(program)));
  return argv.find((word, at) => at >= named && isOption(word, at) && !HARMLESS_OPTIONS.has(word)) ?? null;
}
