import { z } from 'zod';
import { TerminalId } from '../contract/ids.ts';
import { procedure, router } from './trpc.ts';

const Word = z.object({ terminalId: TerminalId, word: z.string().max(4096) });

/** Completion for the composer. Answers are texts to insert, at most 200. */
export const completeRouter = router({
  files: procedure
    .input(Word)
    .query(({ ctx, input }): Promise<string[]> => ctx.core.completion(input.terminalId).files(input.word)),
  commands: procedure
    .input(Word)
    .query(({ ctx, input }): Promise<string[]> => ctx.core.completion(input.terminalId).commands(input.word)),
  branches: procedure
    .input(Word)
    .query(({ ctx, input }): Promise<string[]> => ctx.core.completion(input.terminalId).branches(input.word)),
});
