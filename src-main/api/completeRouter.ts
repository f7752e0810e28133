import { z } from 'zod';
import type { CompletedTerminal } from '../completion/Completion.ts';
import type { LineCompletion } from '../contract/completion.ts';
import { TerminalId } from '../contract/ids.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import { procedure, router } from './trpc.ts';

const Word = z.object({ terminalId: TerminalId, word: z.string().max(4096) });
const Line = z.object({ terminalId: TerminalId, text: z.string().max(65_536), caret: z.int().min(0) });

/** Completion for the composer. */
export const completeRouter = router({
  /** What fits at the caret of a command line, at most 100 choices. */
  line: procedure
    .input(Line)
    .query(
      ({ ctx: { core }, input }): Promise<LineCompletion> =>
        core.composing.completion.line(completed(core.terminal(input.terminalId)), input.text, input.caret),
    ),
  /** Whether the shell knows a command of that name; null where that is not known. */
  isCommand: procedure
    .input(Word)
    .query(
      ({ ctx: { core }, input }): Promise<boolean | null> =>
        core.composing.completion.isCommand(completed(core.terminal(input.terminalId)), input.word),
    ),
});

function completed({ view, words }: PtyInstance): CompletedTerminal {
  return { shell: view.shell, cwd: view.cwd, isOwnPrompt: view.atPrompt && view.quality.level === 'rich', words };
}
