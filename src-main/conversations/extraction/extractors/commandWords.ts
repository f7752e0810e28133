/** The words of a command line that start a program, however it is wrapped. */
export interface ProgramWords {
  /** Names of its commands. */
  readonly commands: readonly string[];
  /** Names of its packages, with which launchers (npx, bunx, pnpm dlx) start it. */
  readonly packages: readonly string[];
  /** First words and switches with which it prints and exits, or serves other programs: it then has no screen to follow. */
  readonly screenless: readonly string[];
}

const RUNTIMES = new Set(['node', 'nodejs', 'bun', 'deno', 'tsx']);
/** A shell's name; the word after `ssh` is a host. */
const SHELL = /^(?!ssh$)[a-z]{0,2}sh$/;
const LAUNCHERS = new Set([
  'python',
  'python3',
  'uv',
  'uvx',
  'pipx',
  'npx',
  'bunx',
  'pnpx',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'volta',
  'mise',
  'asdf',
  'nvm',
]);
const WRAPPERS = new Set([
  'sudo',
  'doas',
  'env',
  'nice',
  'nohup',
  'time',
  'exec',
  'command',
  'caffeinate',
  'stdbuf',
  'script',
  'dotenv',
]);
const SCRIPT = /\.(?:c|m)?[jt]s$|\.exe$|\.cmd$/;
/** Words of launchers before the package. */
const BETWEEN = new Set(['exec', 'x', 'dlx', 'tool', 'run', '--', '-c']);
/** Launchers whose next word, or the one after `run`, can be the name of a script in package.json, which may start anything. */
const SCRIPT_RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Most words before the program's own: enough for `sudo -u x env A=b npm exec -- …`. */
const WRAPPING_WORDS = 12;

/** Whether `argv` starts the program: by its name, through a runtime with its script, through a launcher with its package. */
export function startsProgram(argv: readonly string[], words: ProgramWords): boolean {
  const at = programAt(argv, words);
  if (at < 0) return false;
  const own = argv.slice(at + 1).filter((word) => word !== '--');
  const first = own.find((word) => !word.startsWith('-'));
  return !words.screenless.some((word) => (word.startsWith('-') ? own.includes(word) : first === word));
}

/** Index of the word that names it; -1 if the first word that is not wrapping is another one. */
function programAt(argv: readonly string[], words: ProgramWords): number {
  let isWrapped = true;
  for (let at = 0; at < Math.min(argv.length, WRAPPING_WORDS) && isWrapped; at += 1) {
    const word = argv[at] ?? '';
    const name = baseOf(word);
    if (isPackage(word, words)) return at;
    if (words.commands.includes(name)) return isScript(argv, at) ? -1 : at;
    // A shell's -c has the whole line in one word.
    if (/\s/.test(word) && argv[at - 1] === '-c') return startsProgram(word.trim().split(/\s+/), words) ? at : -1;
    isWrapped = isWrapping(word, name, argv[at - 1] ?? '');
  }
  return -1;
}

/** Whether it names a script: a program that the script starts has a process of its own. */
function isScript(argv: readonly string[], at: number): boolean {
  const before = argv.slice(0, at).filter((word) => !word.startsWith('-') && !/^run(?:-script)?$/.test(word));
  return !/[/.]/.test(argv[at] ?? '') && SCRIPT_RUNNERS.has(baseOf(before.at(-1) ?? ''));
}

function isWrapping(word: string, name: string, before: string): boolean {
  if (RUNTIMES.has(name) || SHELL.test(name) || LAUNCHERS.has(name) || WRAPPERS.has(name) || BETWEEN.has(word))
    return true;
  return word.startsWith('-') || /^[A-Za-z_]\w*=/.test(word) || /^-[unC]$/.test(before);
}

/** `vim` of `/usr/bin/vim`, `-vim`, `C:\bin\vim.exe` and `vim.js`. */
function baseOf(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? '').replace(/^-/, '').replace(SCRIPT, '');
}

/** A package by its name, with or without a version, or a script in its folder. */
function isPackage(word: string, { packages }: ProgramWords): boolean {
  return packages.some(
    (name) => word === name || word.startsWith(`${name}@`) || word.includes(`/node_modules/${name}/`),
  );
}
