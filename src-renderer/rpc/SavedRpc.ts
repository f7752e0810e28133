import type {
  CommandsImport,
  SavedCommand,
  SavedCommandList,
  SaveVerdict,
} from '../../src-main/contract/savedCommand.ts';

/** The saved commands, as the core keeps them. */
export interface SavedRpc {
  /** `terminalId`: also lists the commands of this terminal's project. */
  list(input: { terminalId: string | null }): Promise<SavedCommandList>;
  /** `replaces`: previous name of an edited command. */
  save(input: { command: SavedCommand; replaces: string | null }): Promise<SaveVerdict>;
  /** Returns the removed command and its index. */
  remove(input: { name: string }): Promise<{ command: SavedCommand; at: number } | null>;
  restore(input: { command: SavedCommand; at: number }): Promise<SaveVerdict>;
  importFiles(input: { files: { name: string; text: string }[]; replace: boolean }): Promise<CommandsImport>;
  trust(input: { path: string; sha256: string }): Promise<boolean>;
}
