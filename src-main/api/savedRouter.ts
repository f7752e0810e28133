import { z } from 'zod';
import { TerminalId } from '../contract/ids.ts';
import {
  type CommandsImport,
  MAX_COMMANDS_FILE_BYTES,
  MAX_IMPORTED_FILES,
  SavedCommand,
  type SavedCommandList,
  type SaveVerdict,
} from '../contract/savedCommand.ts';
import { procedure, router } from './trpc.ts';

const Name = z.string().max(500);
const ImportedFile = z.object({ name: z.string().max(1000), text: z.string().max(MAX_COMMANDS_FILE_BYTES + 1) });

/** The person's saved commands, and those of a project. */
export const savedRouter = router({
  /** Reads the current files. `terminalId`: the terminal whose folder determines the project. */
  list: procedure
    .input(z.object({ terminalId: z.nullable(TerminalId) }))
    .query(({ ctx: { core }, input: { terminalId } }): Promise<SavedCommandList> => {
      const cwd = terminalId === null ? null : core.terminal(terminalId).view.cwd;
      return core.composing.saved.list(cwd);
    }),

  /** `replaces`: the name of the edited command. */
  save: procedure
    .input(z.object({ command: SavedCommand, replaces: Name.nullable() }))
    .mutation(({ ctx, input }): Promise<SaveVerdict> => ctx.core.composing.saved.save(input.command, input.replaces)),

  remove: procedure
    .input(z.object({ name: Name }))
    .mutation(
      ({ ctx, input }): Promise<{ command: SavedCommand; at: number } | null> =>
        ctx.core.composing.saved.remove(input.name),
    ),

  restore: procedure
    .input(z.object({ command: SavedCommand, at: z.int().min(0) }))
    .mutation(({ ctx, input }): Promise<SaveVerdict> => ctx.core.composing.saved.restore(input.command, input.at)),

  importFiles: procedure
    .input(z.object({ files: z.array(ImportedFile).max(MAX_IMPORTED_FILES), replace: z.boolean() }))
    .mutation(({ ctx, input }): Promise<CommandsImport> => ctx.core.composing.saved.importFiles(input.files, input)),

  /** The person trusts a project's list. False if its content has changed since they were asked. */
  trust: procedure
    .input(z.object({ path: z.string().max(4096), sha256: z.string().length(64) }))
    .mutation(({ ctx, input }): Promise<boolean> => ctx.core.composing.saved.trust(input.path, input.sha256)),
});
