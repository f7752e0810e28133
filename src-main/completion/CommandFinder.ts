import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { shellLanguage } from '../shells/shellLanguage.ts';
import type { CompletedTerminal } from './Completion.ts';
import { Programs } from './sources/Programs.ts';

/** A plain name. A word with expansions or quotes, a job reference or a history reference could be any command. */
const NAME = /^[A-Za-z0-9.][A-Za-z0-9_.+:@-]*$/;
/** Functions that let bash, zsh and fish handle unknown commands, if the person defined them. */
const HANDLERS = ['command_not_found_handle', 'command_not_found_handler'];

/** Looks for a command as the shell would: among the names that the shell reported, and on its PATH. */
export class CommandFinder {
  /** The programs of the most recent PATH. Keeps the list of each folder. */
  #programs: { path: string; on: Programs } | undefined;

  /** Returns whether the shell would find the command, or null if that is not certain. Never rejects. */
  async isCommand({ isOwnPrompt, shell, cwd, names }: CompletedTerminal, word: string): Promise<boolean | null> {
    if (!isOwnPrompt) return null;
    if (shellLanguage(shell).words.has(word)) return true;
    if (!NAME.test(word)) return null;
    if (!names) return null;
    if (names.known.has(word)) return true;
    const end = /[^.]\.([^.]+)$/.exec(word)?.[1];
    if (end !== undefined && names.suffixes.has(end)) return true;
    const folders = names.path.split(delimiter);
    // A relative entry of the PATH depends on the current folder.
    if (HANDLERS.some((name) => names.known.has(name)) || !folders.every(isAbsolute)) return null;
    const programs = this.#on(names.path);
    // `find` decides: it works in folders that cannot be listed, and treats case as the file system does.
    if ((await programs.has(word)) || (await programs.find(word)) !== null) return true;
    // Some shells change to a folder with the name of the command.
    const found = await stat(join(cwd, word)).catch(() => null); // the folder does not exist
    return found?.isDirectory() ? null : false;
  }

  #on(path: string): Programs {
    if (this.#programs?.path !== path) this.#programs = { path, on: new Programs(path) };
    return this.#programs.on;
  }
}
