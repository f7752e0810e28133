import { z } from 'zod';
import type { OpenPlaceVerdict } from '../contract/api.ts';
import {
  ChangedFileRef,
  type ChangePatch,
  ChangeRange,
  type ChangeSet,
  type ConversationChanges,
  type RestoreVerdict,
} from '../contract/changes.ts';
import { TerminalId } from '../contract/ids.ts';
import { procedure, router } from './trpc.ts';

const OfConversation = ChangeRange.omit({ turn: true }).extend({ terminalId: TerminalId });
const OfRange = ChangeRange.extend({ terminalId: TerminalId });
const OfFile = ChangedFileRef.extend({ terminalId: TerminalId });

/** Procedures for the changes that agents made in their folders, by turn or in all. */
export const changesRouter = router({
  /** Lists the turns, newest first, also of closed terminals. */
  turns: procedure
    .input(OfConversation)
    .query(({ ctx, input }): Promise<ConversationChanges> => ctx.core.agents.changes.turns(input)),

  /** Reads the changes of a turn; null if the turn does not exist. */
  read: procedure
    .input(OfRange)
    .query(({ ctx, input }): Promise<ChangeSet | null> => ctx.core.agents.changes.read(input)),

  /** Reads the change of one file, cut to what a window shows. */
  patch: procedure
    .input(OfFile)
    .query(({ ctx, input }): Promise<ChangePatch> => ctx.core.agents.changes.reader.patch(input)),

  /** Reads a patch for `git apply`, of one file or of all. */
  wholePatch: procedure
    .input(OfRange.extend({ fileId: ChangedFileRef.shape.fileId.nullable() }))
    .query(async ({ ctx, input }) => ({ text: await ctx.core.agents.changes.reader.wholePatch(input) })),

  /** Restores a file as it was before the turn. A snapshot holds the file that it replaces. */
  restore: procedure
    .input(OfFile)
    .mutation(({ ctx, input }): Promise<RestoreVerdict> => ctx.core.agents.changes.restore(input)),

  /** Opens the current version of a turn's file in the person's editor. */
  open: procedure.input(OfFile).mutation(async ({ ctx, input }): Promise<OpenPlaceVerdict> => {
    const path = await ctx.core.agents.changes.pathOf(input);
    return path === null ? { opened: false, reason: 'its path is not known' } : ctx.core.opening.file(path);
  }),

  /** Reports each conversation of which a snapshot was taken, in all terminals or in one, which may be on another machine. */
  onChange: procedure.input(z.object({ terminalId: TerminalId }).optional()).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    for await (const change of ctx.core.agents.changes.follow(signal))
      if (input === undefined || change.terminalId === input.terminalId) yield change;
  }),
});
