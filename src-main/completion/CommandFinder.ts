import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { shellLanguage } from '../shells/shellLanguage.ts';
import type { CompletedTerminal } from './Completion.ts';
import { Programs } from './sources/Programs.ts';

/** A plain name. A word with expansions or quotes, or one that means a job or an earlier command, may be anything. */
const NAME = /^[A-Za-z0-9.][A-Za-z0-9_.+:@-]*$/;
/** Functions with which bash, zsh, and fish (if the person defined them) may run unknown commands. */
const HANDLERS = ['command_not_found_handle', 'command_not_found_handler'];

/** Looks for commands where a shell would: among the names that it reported, and on its PATH. */
export class CommandFinder {
  /** Of the PATH that was asked about last; it keeps what it has read of each folder. */
  #programs: { path: string; on: Programs } | undefined;

  /** Null if it is not certain. Never rejects. */
  async isCommand({ isOwnPrompt, shell, cwd, names }: CompletedTerminal, word: string): Promise<boolean | null> {
    if (!isOwnPrompt) return null;
    if (shellLanguage(shell).words.has(word)) return true;
    if (!NAME.test(word)) return null;
    if (!names) return null;
    if (names.known.has(word)) return true;
    const end = /[^.]\.([^.]+)$/.exec(word)?.[1];
    if (end !== undefined && names.suffixes.has(end)) return true;
    const folders = names.path.split(delimiter);
    // What a relative entry means changes with the folder.
    if (HANDLERS.some((name) => names.known.has(name)) || !folders.every(isAbsolute)) return null;
    const programs = this.#on(names.path);
    // The second look is certain: it needs no leave to list a folder, and minds letters as the disk does.
    if ((await programs.has(word)) || (await programs.find(word)) !== null) return true;
    // Some shells change to a folder with the name of the command.
    const found = await stat(join(cwd, word)).catch(() => null); // not there
    return found?.isDirectory() ? null : false;
  }

  #on(path: string): Programs {
    if (this.#programs?.path !== path) this.#programs = { path, on: new Programs(path) };
    return this.#programs.on;
  }
}
