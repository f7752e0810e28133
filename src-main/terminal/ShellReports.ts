import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { TerminalEvent } from '../contract/event.ts';
import type { ShellAliasTable } from '../contract/mcp/aliasWords.ts';
import type { ShellNames } from '../contract/shellNames.ts';
import { ShellReport } from './ShellReport.ts';

const Names = z.array(z.string());
const Pairs = z.array(z.tuple([z.string(), z.string()]));

/** shell.json: the reports to which the prompts of a running shell refer. */
export const SavedReports = z.object({
  version: z.literal(1),
  /** SHA-256 of the shell's nonce, in hex: the reports of another shell may have the same ids. */
  shell: z.string(),
  isChangedByClient: z.boolean(),
  words: z.nullable(
    z.object({
      id: z.string(),
      report: z.object({ aliases: Pairs, globals: Names, suffixes: Names, functions: Names, checked: Names }),
    }),
  ),
  names: z.nullable(
    z.object({
      id: z.string(),
      report: z.object({ pid: z.number(), path: z.string(), known: Names, suffixes: Names }),
    }),
  ),
});
export type SavedReports = z.infer<typeof SavedReports>;
type SavedOf<K extends 'words' | 'names'> = NonNullable<SavedReports[K]>['report'];

/** A shell's reports about itself. It sends each once, so they are saved for a core that takes the shell over. */
export class ShellReports {
  /** On words in the policy. */
  readonly words = new ShellReport<ShellAliasTable>();
  /** On its commands. */
  readonly names = new ShellReport<ShellNames>();
  readonly #save: (json: string) => void;
  #shell = '';
  #isChangedByClient = false;

  /** `save` gets the text of shell.json. */
  constructor(save: (json: string) => void) {
    this.#save = save;
  }

  /** The shell with this nonce starts or, with what an earlier core saved, is taken over. Ignores what was saved of another shell. */
  began(nonce: string, adopted: { readonly reports: SavedReports | null } | null): void {
    this.words.clear();
    this.names.clear();
    this.#shell = createHash('sha256').update(nonce).digest('hex');
    const saved = adopted?.reports?.shell === this.#shell ? adopted.reports : null;
    this.#isChangedByClient = saved?.isChangedByClient ?? adopted !== null; // an earlier core could not save it, so it may be
    if (!saved) return;
    const { words, names } = saved;
    if (words) this.words.keep(words.id, wordsOf(words.report));
    if (names) this.names.keep(names.id, namesOf(names.report));
  }

  /** Only for trusted prompts. */
  prompted({ words, names }: Extract<TerminalEvent, { type: 'prompt' }>): void {
    this.words.atPrompt(words?.id, words?.words);
    this.names.atPrompt(names?.id, names?.names);
    if (words?.words !== undefined || names?.names !== undefined) this.#write();
  }

  /** A client has run, or may have run, a command in this shell that may have changed what words mean there, other than by what the shell reports. */
  get isChangedByClient(): boolean {
    return this.#isChangedByClient;
  }

  changedByClient(): void {
    if (this.#isChangedByClient) return;
    this.#isChangedByClient = true;
    this.#write();
  }

  #write(): void {
    const { current: words } = this.words;
    const { current: names } = this.names;
    const saved = { version: 1, shell: this.#shell, isChangedByClient: this.#isChangedByClient, words, names };
    this.#save(
      JSON.stringify(saved, (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value)),
    );
  }
}

function wordsOf({ aliases, globals, suffixes, functions, checked }: SavedOf<'words'>): ShellAliasTable {
  return {
    aliases: new Map(aliases),
    globals: new Set(globals),
    suffixes: new Set(suffixes),
    functions: new Set(functions),
    checked: new Set(checked),
  };
}

function namesOf({ pid, path, known, suffixes }: SavedOf<'names'>): ShellNames {
  return { pid, path, known: new Set(known), suffixes: new Set(suffixes) };
}
