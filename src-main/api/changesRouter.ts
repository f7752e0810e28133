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

/** What agents changed in their folders, by turn or in all. */
export const changesRouter = router({
  /** The newest turn first. Known for closed terminals too. */
  turns: procedure
    .input(OfConversation)
    .query(({ ctx, input }): Promise<ConversationChanges> => ctx.core.agents.changes.turns(input)),

  /** Null where there is no such turn. */
  read: procedure
    .input(OfRange)
    .query(({ ctx, input }): Promise<ChangeSet | null> => ctx.core.agents.changes.read(input)),

  /** The change of one file, as far as a window shows it. */
  patch: procedure
    .input(OfFile)
    .query(({ ctx, input }): Promise<ChangePatch> => ctx.core.agents.changes.reader.patch(input)),

  /** A patch that `git apply` takes, of one file or of all. */
  wholePatch: procedure
    .input(OfRange.extend({ fileId: ChangedFileRef.shape.fileId.nullable() }))
    .query(async ({ ctx, input }) => ({ text: await ctx.core.agents.changes.reader.wholePatch(input) })),

  /** Puts a file back as it was before the turn; a snapshot holds what it replaces. */
  restore: procedure
    .input(OfFile)
    .mutation(({ ctx, input }): Promise<RestoreVerdict> => ctx.core.agents.changes.restore(input)),

  /** Opens a file of a turn, as it is now, in the person's editor. */
  open: procedure.input(OfFile).mutation(async ({ ctx, input }): Promise<OpenPlaceVerdict> => {
    const path = await ctx.core.agents.changes.pathOf(input);
    return path === null ? { opened: false, reason: 'its path is not known' } : ctx.core.opening.file(path);
  }),

  /** The conversations of which a snapshot was taken, as it happens. */
  onChange: procedure.subscription(async function* ({ ctx, signal }) {
    yield* ctx.core.agents.changes.follow(signal);
  }),
});
