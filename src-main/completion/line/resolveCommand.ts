import type { CommandSpec, SpecArgument, SpecOption } from '../spec.ts';
import { WRAPPERS } from './wrappers.ts';

/** Shell keywords that precede a command. */
const BEFORE_COMMAND = new Set([
  'then',
  'do',
  'else',
  'elif',
  'if',
  'while',
  'until',
  '!',
  '{',
  'and',
  'or',
  'not',
  'begin',
]);
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** Maximum length of a chain such as `sudo sudo sudo …`. */
const MAX_NESTED = 16;

/** The position in a command after its finished words. */
export interface CommandPlace {
  /** Null: the command itself is being typed. */
  command: string | null;
  /** Null: no specification is known. */
  spec: CommandSpec | null;
  /** The valid options, including persistent ones of outer commands. */
  options: readonly SpecOption[];
  given: ReadonlySet<string>;
  /** The option whose value is being typed. */
  option: SpecOption | null;
  /** The expected arguments: the value of `option`, or the next arguments of the command. */
  args: readonly SpecArgument[];
  /** No argument was given yet, so a subcommand may follow. */
  mayBeSubcommand: boolean;
  /** `--` was given, so no option may follow. */
  isAfterDashes: boolean;
}

export type LoadSpec = (name: string) => Promise<CommandSpec | null>;

/** Follows `words` through the specifications. Never throws. */
export async function resolveCommand(words: readonly string[], load: LoadSpec): Promise<CommandPlace> {
  let rest = words;
  for (let nested = 0; ; nested++) {
    const at = rest.findIndex((word) => !BEFORE_COMMAND.has(word) && !ASSIGNMENT.test(word));
    const command = rest[at];
    if (command === undefined) return nothingKnown(null);
    const name = command.slice(command.lastIndexOf('/') + 1);
    const spec = WRAPPERS[name] ?? (await load(name));
    if (!spec || nested >= MAX_NESTED) return nothingKnown(name);
    const walk = new SpecWalk(name, spec, load);
    const inner = await walk.follow(rest.slice(at + 1));
    if (inner === null) return walk.place;
    rest = inner;
  }
}

function nothingKnown(command: string | null): CommandPlace {
  return {
    command,
    spec: null,
    options: [],
    given: new Set(),
    option: null,
    args: [],
    mayBeSubcommand: false,
    isAfterDashes: false,
  };
}

class SpecWalk {
  readonly #command: string;
  readonly #load: LoadSpec;
  readonly #given = new Set<string>();
  #spec: CommandSpec;
  #inherited: SpecOption[] = [];
  #pending: { option: SpecOption; at: number } | null = null;
  #argumentAt = 0;
  #hasArguments = false;
  #isAfterDashes = false;

  constructor(command: string, spec: CommandSpec, load: LoadSpec) {
    this.#command = command;
    this.#spec = spec;
    this.#load = load;
  }

  /** Reads the words of this command. Returns the words of a nested command, starting with its name, or null. */
  async follow(words: readonly string[]): Promise<readonly string[] | null> {
    for (const [at, word] of words.entries()) {
      if (this.#takesValue(word)) continue;
      if (word === '--' && !this.#isAfterDashes) this.#isAfterDashes = true;
      else if (!this.#isAfterDashes && word.length > 1 && word.startsWith('-')) this.#takeOption(word);
      else if (!(await this.#takeSubcommand(word))) {
        if (this.#argument?.isCommand) return words.slice(at);
        this.#takeArgument();
      }
    }
    return null;
  }

  get place(): CommandPlace {
    const option = this.#pending?.option ?? null;
    const args = this.#pending ? [this.#pending.option.args?.[this.#pending.at] ?? {}] : this.#openArguments();
    return {
      command: this.#command,
      spec: this.#spec,
      options: this.#options,
      given: this.#given,
      option,
      args,
      mayBeSubcommand: !this.#hasArguments,
      isAfterDashes: this.#isAfterDashes,
    };
  }

  get #options(): SpecOption[] {
    return [...(this.#spec.options ?? []), ...this.#inherited];
  }

  get #argument(): SpecArgument | undefined {
    return this.#spec.args?.[this.#argumentAt];
  }

  /** The current argument, and the following ones as long as all before them are optional. */
  #openArguments(): SpecArgument[] {
    const args = this.#spec.args ?? [];
    const open: SpecArgument[] = [];
    for (const arg of args.slice(this.#argumentAt)) {
      open.push(arg);
      if (!arg.isOptional) break;
    }
    return open;
  }

  #takesValue(word: string): boolean {
    if (!this.#pending) return false;
    const { option, at } = this.#pending;
    const arg = option.args?.[at];
    if (arg?.isOptional && word.startsWith('-')) {
      this.#pending = null;
      return false;
    }
    if (!arg?.isVariadic) this.#pending = option.args?.[at + 1] ? { option, at: at + 1 } : null;
    else if (word.startsWith('-')) {
      this.#pending = null;
      return false;
    }
    return true;
  }

  #takeOption(word: string): void {
    const exact = this.#find(word);
    if (exact) return this.#give(exact, true);
    const [name = '', value] = word.split(/[=:](.*)/s);
    const long = this.#find(name) ?? this.#find(`${name}=`);
    if (long) return this.#give(long, value === undefined);
    if (word.startsWith('--') || this.#spec.hasLongSingleDash) return;
    for (let at = 1; at < word.length; at++) {
      const option = this.#find(`-${word.charAt(at)}`);
      if (!option) return;
      this.#give(option, at === word.length - 1);
      if (option.args?.length && !option.args[0]?.isOptional) return; // the rest of the word is the option's value
    }
  }

  #find(name: string): SpecOption | undefined {
    return this.#options.find(({ names }) => names.includes(name));
  }

  #give(option: SpecOption, isValueNext: boolean): void {
    for (const name of option.names) this.#given.add(name);
    const needsSeparator = option.separator !== undefined;
    this.#pending = isValueNext && !needsSeparator && option.args?.length ? { option, at: 0 } : null;
  }

  async #takeSubcommand(word: string): Promise<boolean> {
    if (this.#hasArguments || this.#isAfterDashes) return false;
    const found = this.#spec.subcommands?.find(({ names }) => names.includes(word));
    if (!found) return false;
    const loaded = found.load === undefined ? null : await this.#load(found.load);
    this.#inherited = this.#options.filter(({ isPersistent }) => isPersistent);
    this.#spec = loaded ?? found;
    this.#argumentAt = 0;
    return true;
  }

  #takeArgument(): void {
    this.#hasArguments = true;
    if (!this.#argument?.isVariadic && this.#argumentAt < (this.#spec.args?.length ?? 0)) this.#argumentAt++;
  }
}
