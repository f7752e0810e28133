import type { HistoryEntry } from '../contract/api.ts';
import type { LineCompletion } from '../contract/completion.ts';
import type { ShellAliasTable } from '../contract/mcp/aliasWords.ts';
import type { ShellNames } from '../contract/shellNames.ts';
import { shellLanguage } from '../shells/shellLanguage.ts';
import type { Clock } from '../util/Clock.ts';
import { type Candidate, rank, toChoice } from './Candidate.ts';
import { CommandFinder } from './CommandFinder.ts';
import { type Asked, candidatesFor } from './candidatesFor.ts';
import { quoteWord } from './line/quoting.ts';
import { readLine, type TypedWord } from './line/readLine.ts';
import { resolveCommand } from './line/resolveCommand.ts';
import { SpecStore } from './SpecStore.ts';
import { FolderLists } from './sources/FolderLists.ts';
import { Programs } from './sources/Programs.ts';
import { type Machine, Sources, withLimit } from './sources/Sources.ts';

/** Longer than the limit of one source, so that a source that hangs does not take the others along. */
const LIMIT_MS = 500;
/** Number of recent commands that are searched for recently used words. */
const RECENT = 200;

/** The terminal in which the line is typed. */
export interface CompletedTerminal {
  shell: string;
  cwd: string;
  /** The shell is at its own prompt and reports its words: neither nested nor remote. */
  isOwnPrompt: boolean;
  words: ShellAliasTable | null;
  /** The commands that the shell has; null if it did not report them. */
  names: ShellNames | null;
}

/** Earlier commands. */
export interface CommandsRun {
  /** Earlier commands that start with `prefix`, newest first. */
  startingWith: (prefix: string, limit: number) => readonly HistoryEntry[];
}

export interface CompletionOptions {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  clock: Clock;
  /** `specsDir`: folder with the specifications that the build wrote. */
  files: { specsDir: string };
  history: CommandsRun;
}

/** Completes lines for the composer. Caches folders and specifications for the next key. */
export class Completion {
  readonly #options: CompletionOptions;
  readonly #programs: Programs;
  readonly #folders = new FolderLists();
  readonly #specs: SpecStore;
  readonly #machine: Machine;
  readonly #sources: Sources;
  readonly #finder = new CommandFinder();

  constructor(options: CompletionOptions) {
    this.#options = options;
    this.#programs = new Programs(options.env.PATH ?? '');
    this.#machine = { ...options, programs: this.#programs };
    this.#sources = new Sources(this.#machine, () => options.clock.monotonicMs());
    this.#specs = new SpecStore(options.files.specsDir);
  }

  /** Returns the choices at the caret, at most 100. */
  async line(terminal: CompletedTerminal, text: string, caret: number): Promise<LineCompletion> {
    const { quoting: dialect, words: shellWords } = shellLanguage(terminal.shell);
    const { words, word, isRedirect, isComment } = readLine(text, caret, dialect);
    const range = { from: word.from, to: word.to };
    if (isComment) return { ...range, choices: [] };
    const place = await resolveCommand(expandAlias(words, terminal.words), (name) => this.#specs.load(name));
    const asked: Asked = {
      terminal,
      place,
      word,
      isRedirect,
      isLineStart: words.length === 0 && text.slice(0, word.from).trim() === '' && word.to === text.length,
      machine: this.#machine,
      sources: this.#sources,
      folders: this.#folders,
      shellWords,
      history: this.#options.history,
    };
    const { candidates, typed, skip } = await withLimit(
      candidatesFor(asked),
      { candidates: [], typed: '', skip: 0 },
      LIMIT_MS,
    );
    const from = word.isPlain && word.quote === '' ? word.from + skip : word.from;
    const before = from === word.from ? word.value.slice(0, skip) : '';
    const found = rank(candidates, typed, this.#lastUsed(place.command));
    const insertOf = (candidate: Candidate): string => {
      if (candidate.kind === 'history' || candidate.kind === 'variable') return candidate.value;
      const value = `${before}${candidate.value}`;
      const hasHome = isHomePath(word, value);
      return quoteWord(value, { dialect, quote: word.quote, isOpen: candidate.isOpen ?? false, hasHome });
    };
    return { from, to: word.to, choices: found.map((candidate) => toChoice(candidate, insertOf(candidate))) };
  }

  /** Returns whether the shell would find a command with that name; null if that is not known. */
  isCommand(terminal: CompletedTerminal, word: string): Promise<boolean | null> {
    return this.#finder.isCommand(terminal, word);
  }

  /** Maps words of earlier calls of the command to how many calls ago they were used. */
  #lastUsed(command: string | null): Map<string, number> {
    const used = new Map<string, number>();
    if (command === null) return used;
    for (const [at, { cmd }] of this.#options.history.startingWith(`${command} `, RECENT).entries()) {
      for (const word of cmd.split(/\s+/)) if (!used.has(word)) used.set(word, at);
    }
    return used;
  }
}

function isHomePath(word: TypedWord, value: string): boolean {
  return word.quote === '' && word.value.startsWith('~') && value.startsWith('~/');
}

/** Expands an alias only once, because it may contain its own name. */
function expandAlias(words: readonly string[], table: ShellAliasTable | null): readonly string[] {
  const [first = '', ...rest] = words;
  const alias = table?.aliases.get(first);
  if (alias === undefined) return words;
  const expanded = readLine(`${alias} `, alias.length + 1).words;
  return [...expanded, ...rest];
}
