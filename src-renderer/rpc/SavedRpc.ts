import type {
  CommandsImport,
  SavedCommand,
  SavedCommandList,
  SaveVerdict,
} from '../../src-main/contract/savedCommand.ts';

/** The saved commands, as the core keeps them. */
export interface SavedRpc {
  /** `terminalId`: whose project is listed, too. */
  list(input: { terminalId: string | null }): Promise<SavedCommandList>;
  /** `replaces`: the name of the command that is edited. */
  save(input: { command: SavedCommand; replaces: string | null }): Promise<SaveVerdict>;
  /** What was removed, and from which place. */
  remove(input: { name: string }): Promise<{ command: SavedCommand; at: number } | null>;
  restore(input: { command: SavedCommand; at: number }): Promise<SaveVerdict>;
  importFiles(input: { files: { name: string; text: string }[]; replace: boolean }): Promise<CommandsImport>;
  trust(input: { path: string; sha256: string }): Promise<boolean>;
}
