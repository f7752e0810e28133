import { join } from 'node:path';
import {
  type CommandsImport,
  type ProjectCommands,
  SavedCommand,
  type SavedCommandList,
  SavedCommandsFile,
  type SaveVerdict,
  TrustedFiles,
} from '../contract/savedCommand.ts';
import { readJsonFile, replaceFile } from '../store/files/replaceFile.ts';
import { KeyedQueue } from '../util/KeyedQueue.ts';
import { findProjectFile, readProjectFile } from './ProjectFile.ts';
import { readOwnFile } from './readOwnFile.ts';

/** Reading, changing and writing follow each other. */
const changing = new KeyedQueue();

/** commands.json of the data folder, which the person may edit too, and the list of a project once that is trusted. */
export class SavedCommands {
  readonly path: string;
  readonly #trustPath: string;

  constructor(dataFolder: string) {
    this.path = join(dataFolder, 'commands.json');
    this.#trustPath = join(dataFolder, 'trusted.json');
  }

  /** Reads the files as they are now. `cwd`: where the project is looked for; null: nowhere. Rejects only when the disk refuses. */
  async list(cwd: string | null): Promise<SavedCommandList> {
    const { file, problem } = await readOwnFile(this.path);
    const project = cwd === null ? null : await this.#project(cwd);
    return { commands: file.commands, path: this.path, problem, project };
  }

  /**
   * Adds a command, or puts it in the place of the one that is called `replaces`. Another one of its name is never overwritten.
   * Rejects only when the disk refuses.
   */
  save(given: SavedCommand, replaces: string | null): Promise<SaveVerdict> {
    return this.#change<SaveVerdict>((commands) => {
      const command = SavedCommand.parse(given);
      const at = replaces === null ? -1 : commands.findIndex(({ name }) => name === replaces);
      if (replaces !== null && at < 0)
        return { ok: false, isTaken: false, reason: `"${replaces}" is not saved any more. Save it as a new command.` };
      if (commands.some(({ name }, index) => name === command.name && index !== at))
        return { ok: false, isTaken: true, reason: `A command called "${command.name}" is saved already.` };
      if (at < 0) commands.push(command);
      else commands[at] = command;
      return { ok: true };
    });
  }

  /** The command that was removed and its place in the list, so that it can come back; null when there is no such command. */
  remove(name: string): Promise<{ command: SavedCommand; at: number } | null> {
    return this.#change((commands) => {
      const at = commands.findIndex((one) => one.name === name);
      const [command] = at < 0 ? [] : commands.splice(at, 1);
      return command ? { command, at } : null;
    });
  }

  /** Takes a removal back. */
  restore(command: SavedCommand, at: number): Promise<SaveVerdict> {
    return this.#change<SaveVerdict>((commands) => {
      if (commands.some(({ name }) => name === command.name))
        return { ok: false, isTaken: true, reason: `A command called "${command.name}" is saved already.` };
      commands.splice(Math.min(at, commands.length), 0, SavedCommand.parse(command));
      return { ok: true };
    });
  }

  /** Adds the commands of files. One that is saved under the same name stays, unless `replace`. */
  async importFiles(
    files: readonly { name: string; text: string }[],
    { replace }: { replace: boolean },
  ): Promise<CommandsImport> {
    const { BadCommandsFile, readWorkflows } = await import('./readWorkflows.ts'); // only now: it brings the parser
    const done: CommandsImport = { added: [], replaced: [], same: [], kept: [], refused: [] };
    const found: SavedCommand[] = [];
    for (const { name, text } of files) {
      try {
        found.push(...readWorkflows(name, text));
      } catch (thrown) {
        if (!(thrown instanceof BadCommandsFile)) throw thrown;
        done.refused.push({ file: name, reason: thrown.message });
      }
    }
    if (found.length > 0) await this.#change((commands) => merge(commands, found, { done, replace }));
    return done;
  }

  /** The person lets the project's list be used as it is now. False when its content is another one than they were asked about. */
  async trust(path: string, sha256: string): Promise<boolean> {
    const file = await readProjectFile(path);
    if (!file || !('sha256' in file) || file.sha256 !== sha256) return false;
    await changing.run(this.#trustPath, async () => {
      const files = (await this.#trusted()).filter((one) => one.path !== path);
      await write(this.#trustPath, { version: 1, files: [...files, { path, sha256 }] });
    });
    return true;
  }

  async #project(cwd: string): Promise<ProjectCommands | null> {
    const file = await findProjectFile(cwd);
    if (!file) return null;
    const { path } = file;
    if ('reason' in file) return { state: 'refused', path, reason: file.reason };
    const trusted = (await this.#trusted()).find((one) => one.path === path);
    const { sha256, bytes, text } = file;
    if (trusted?.sha256 !== sha256) return { state: 'untrusted', path, sha256, bytes, changed: trusted !== undefined };
    const { BadCommandsFile, readOwn } = await import('./readWorkflows.ts');
    try {
      return { state: 'trusted', path, commands: readOwn(text.replace(/^\uFEFF/, '')) };
    } catch (thrown) {
      if (!(thrown instanceof BadCommandsFile)) throw thrown;
      return { state: 'refused', path, reason: thrown.message };
    }
  }

  async #trusted(): Promise<TrustedFiles['files']> {
    const read = await readJsonFile(this.#trustPath, TrustedFiles);
    return read.status === 'ok' ? read.value.files : []; // a damaged list trusts nothing
  }

  /** A file that cannot be used is never written over: it may hold all that the person saved. */
  #change<T>(edit: (commands: SavedCommand[]) => T): Promise<T> {
    return changing.run(this.path, async () => {
      const { file, problem } = await readOwnFile(this.path);
      if (problem !== null) throw new Error(`${problem} Correct ${this.path} in an editor first`);
      const before = JSON.stringify(file.commands);
      const result = edit(file.commands);
      if (JSON.stringify(file.commands) !== before) await write(this.path, SavedCommandsFile.parse(file));
      return result;
    });
  }
}

function merge(
  commands: SavedCommand[],
  found: readonly SavedCommand[],
  { done, replace }: { done: CommandsImport; replace: boolean },
): void {
  for (const command of found) {
    const at = commands.findIndex(({ name }) => name === command.name);
    const old = commands[at];
    if (!old) {
      commands.push(command);
      done.added.push(command.name);
    } else if (JSON.stringify(old) === JSON.stringify(command)) done.same.push(command.name);
    else if (replace) {
      commands[at] = command;
      done.replaced.push(command.name);
    } else done.kept.push(command.name);
  }
}

function write(path: string, value: unknown): Promise<void> {
  return replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
