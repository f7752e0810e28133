import type { Candidate } from './Candidate.ts';
import type { CommandsRun, CompletedTerminal } from './Completion.ts';
import type { TypedWord } from './line/readLine.ts';
import type { CommandPlace } from './line/resolveCommand.ts';
import type { FolderLists } from './sources/FolderLists.ts';
import { pathStart, readPaths } from './sources/paths.ts';
import { type Machine, type Sources, variableNames } from './sources/Sources.ts';
import type { SpecArgument, SpecOption } from './spec.ts';

const MAX_HISTORY = 10;

export interface Asked {
  terminal: Pick<CompletedTerminal, 'cwd' | 'words'>;
  place: CommandPlace;
  word: TypedWord;
  isRedirect: boolean;
  /** The first word of the line is typed, and nothing follows it. */
  isLineStart: boolean;
  machine: Machine;
  sources: Sources;
  folders: FolderLists;
  shellWords: ReadonlySet<string>;
  history: CommandsRun;
}

/** Candidates for the word after its first `skip` characters; their labels are compared with `typed`. */
export interface Candidates {
  candidates: Candidate[];
  typed: string;
  skip: number;
}

export async function candidatesFor(asked: Asked): Promise<Candidates> {
  const { word, place, isRedirect } = asked;
  const variable = /\$\{?(\w*)$/.exec(word.value);
  if (variable && word.quote !== "'" && word.isPlain) return variables(asked, variable);
  if (word.isExpanded) return { candidates: [], typed: '', skip: 0 };
  if (isRedirect) return paths(asked, word.value, 'files');
  if (place.command === null) return commands(asked);
  const valued = place.isAfterDashes ? null : valuedOption(place.options, word.value);
  if (valued) return argument(asked, valued.option.args ?? [], valued.skip);
  if (!place.option && !place.isAfterDashes && word.value.startsWith('-')) {
    const candidates = optionCandidates(place);
    return candidates.length > 0 ? { candidates, typed: word.value, skip: 0 } : paths(asked, word.value, 'files');
  }
  return argument(asked, place.args, 0);
}

function variables({ machine, word }: Asked, [whole, name = '']: RegExpExecArray): Candidates {
  const brace = whole.startsWith('${');
  const candidates = variableNames(machine).map((one): Candidate => {
    const value = brace ? `\${${one}}` : `$${one}`;
    return { value, label: one, kind: 'variable' };
  });
  return { candidates, typed: name, skip: word.value.length - whole.length };
}

async function commands(asked: Asked): Promise<Candidates> {
  const { word, terminal, machine, shellWords, history, isLineStart } = asked;
  if (/[/~]/.test(word.value)) return paths(asked, word.value, 'files');
  const names = [
    ...(terminal.words ? [...terminal.words.aliases.keys(), ...terminal.words.functions] : []),
    ...shellWords,
    ...(await machine.programs.names()),
  ];
  const wanted = word.value.toLowerCase();
  const fits = [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted));
  const candidates = fits.sort(byLength).map((name): Candidate => ({ value: name, label: name, kind: 'command' }));
  if (isLineStart && word.value !== '' && word.isPlain) {
    for (const { cmd } of history.startingWith(word.value, MAX_HISTORY))
      candidates.push({ value: cmd, label: cmd, kind: 'history' });
  }
  return { candidates, typed: word.value, skip: 0 };
}

/** Puts short names first, because longer ones often start with them. */
function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** Finds the option in `--option=value` or `--option:value`; `skip` is the length up to the value. */
function valuedOption(options: readonly SpecOption[], word: string): { option: SpecOption; skip: number } | null {
  if (!word.startsWith('-')) return null;
  const at = word.search(/[=:]/);
  if (at === -1) return null;
  const name = word.slice(0, at);
  const option = options.find(
    ({ names, args }) => args?.length && (names.includes(name) || names.includes(`${name}=`)),
  );
  return option ? { option, skip: at + 1 } : null;
}

function optionCandidates({ options, given }: CommandPlace): Candidate[] {
  return options.flatMap((option): Candidate[] => {
    const { names, args, description, isRepeatable, excludes, separator } = option;
    const isGiven = names.some((name) => given.has(name)) || (excludes?.some((name) => given.has(name)) ?? false);
    if (isGiven && !isRepeatable) return [];
    const detail = args?.map(({ name = 'value', isOptional }) => (isOptional ? `[${name}]` : `<${name}>`)).join(' ');
    return names.map((name) => {
      const value = separator !== undefined && !name.endsWith(separator) ? `${name}${separator}` : name;
      return { value, label: name, kind: 'option', detail, description, isOpen: separator !== undefined };
    });
  });
}

/** Returns the valid subcommands, values, generated values and paths, then the options if the word is empty. */
async function argument(asked: Asked, args: readonly SpecArgument[], skip: number): Promise<Candidates> {
  const { place, word, terminal } = asked;
  const typed = word.value.slice(skip);
  const candidates: Candidate[] = [];
  if (skip === 0 && !place.option && place.mayBeSubcommand) candidates.push(...subcommands(place));
  const names = [...new Set(args.flatMap(({ from = [] }) => from))];
  const generated = await Promise.all(names.map((name) => asked.sources.generate(name, terminal.cwd)));
  candidates.push(...generated.flat());
  for (const { values = [], isCommand } of args) {
    for (const { names, description } of values)
      candidates.push(...names.map((name): Candidate => ({ value: name, label: name, kind: 'argument', description })));
    if (isCommand) candidates.push(...(await commands({ ...asked, isLineStart: false })).candidates);
  }
  const hasOthers = candidates.some(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
  const wanted = pathsWanted(args, place, hasOthers);
  if (wanted && (!hasOthers || !typed.includes('/'))) {
    const found = await paths(asked, typed, wanted);
    if (!hasOthers) return { ...found, skip };
    candidates.push(...found.candidates);
  }
  if (typed === '' && skip === 0 && !place.option && !place.isAfterDashes) candidates.push(...optionCandidates(place));
  return { candidates, typed, skip };
}

function subcommands({ spec }: CommandPlace): Candidate[] {
  return (spec?.subcommands ?? []).flatMap(({ names, description }) => {
    const detail = names.length > 1 ? names.slice(1).join(', ') : undefined;
    return names.map((name): Candidate => ({ value: name, label: name, kind: 'subcommand', description, detail }));
  });
}

/** Completes paths if the specification asks for them, or if there is no other candidate. */
function pathsWanted(args: readonly SpecArgument[], { spec }: CommandPlace, hasOthers: boolean): SpecArgument['paths'] {
  const named = args.map(({ paths: wanted }) => wanted).filter((wanted) => wanted !== undefined);
  if (named.includes('files')) return 'files';
  if (named.includes('folders')) return 'folders';
  return spec === null || !hasOthers ? 'files' : undefined;
}

async function paths(asked: Asked, typed: string, only: 'files' | 'folders'): Promise<Candidates> {
  const { terminal, machine, folders } = asked;
  const candidates = await readPaths({ typed, folder: terminal.cwd, home: machine.home, only }, folders);
  return { candidates, typed: pathStart(typed), skip: 0 };
}
