import { kindOf, programName } from './programs.ts';

/** Programs with a subcommand that is followed by the name of a script, a package or a program. */
const DELEGATES: Readonly<Record<string, readonly string[]>> = {
  npm: ['run', 'run-script', 'exec', 'x'],
  pnpm: ['run', 'exec', 'dlx'],
  yarn: ['run', 'exec', 'dlx'],
  bun: ['run', 'x'],
  deno: ['run', 'task'],
  uv: ['run'],
  uvx: [],
  npx: [],
  bunx: [],
  pnpx: [],
  poetry: ['run'],
  pipenv: ['run'],
  hatch: ['run'],
  rye: ['run'],
  bundle: ['exec'],
  go: ['run', 'tool'],
  cargo: ['run', 'xtask'],
};
const PYTHON = /^(?:python|pypy)[\d.]*$/;
/** Matches the name of a module, a script, a task or a folder, but no option and no code. */
const NAME = /^[\w@][\w@.:/+-]*$/;
/** Words that by themselves name what runs. */
const TEST_WORDS: ReadonlySet<string> = new Set(['test', '--test']);
const INTERPRETERS: ReadonlySet<string> = new Set(['node', 'bun', 'deno']);

/**
 * True if the words of a rule name completely what is run, so that later words can only be arguments: `python3 -m pytest`,
 * `npm run lint`, `cargo test`, `uv run pytest`; but not `python3`, `bash -c`, `npx`, `env`, `sudo make`.
 */
export function namesWhatRuns(argv: readonly string[]): boolean {
  const [program = '', second, ...rest] = argv;
  if (second === undefined) return false;
  const name = programName(program);
  if (PYTHON.test(name)) return second === '-m' && rest.length > 0 && rest.every((word) => NAME.test(word));
  if (INTERPRETERS.has(name) && TEST_WORDS.has(second)) return rest.every((word) => NAME.test(word));
  const delegates = Object.hasOwn(DELEGATES, name) ? DELEGATES[name] : undefined;
  if (delegates) {
    const run = delegates.length === 0 ? [second, ...rest] : delegates.includes(second) ? rest : null;
    if (run !== null) return isNamed(run);
  }
  if (kindOf(program) !== 'runner' && kindOf(program) !== 'plain') return false;
  return [second, ...rest].every((word) => NAME.test(word));
}

/** Programs whose further words each name another thing to run, or a variable that affects it (`make test SHELL=x`). */
const TARGETS: ReadonlySet<string> = new Set(
  'make gmake bmake nmake ninja scons just task rake gradle gradlew mvn mvnw ant sbt gulp grunt invoke turbo nx lerna rebar3 pants xcodebuild'.split(
    ' ',
  ),
);
/** Subcommands whose arguments are packages, which come from the network and run when installed. */
const INSTALLS: ReadonlySet<string> = new Set(
  'install i add get require update upgrade up download fetch dlx'.split(' '),
);

/** Whether words after the rule's words also name things to run, so that only the rule's own words are allowed. */
export function namesMore(argv: readonly string[]): boolean {
  const [program = '', ...rest] = argv.map(programName);
  if (TARGETS.has(program) || rest.some((word) => INSTALLS.has(word))) return true;
  return Object.hasOwn(DELEGATES, program) && rest.some((word) => TARGETS.has(word));
}

/** The command that is run in turn: a name, or a program that is itself fully named. */
function isNamed(run: readonly string[]): boolean {
  const [program] = run;
  if (program === undefined) return false;
  return kindOf(program) === 'plain' || run.length > 1 ? isPlainOrSaid(run) : kindOf(program) === 'runner';
}

function isPlainOrSaid(run: readonly string[]): boolean {
  const [program = ''] = run;
  return kindOf(program) === 'plain' ? run.every((word) => NAME.test(word)) : namesWhatRuns(run);
}
