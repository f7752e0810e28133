import { z } from 'zod';
import type { CompletedTerminal } from '../completion/Completion.ts';
import type { HistoryEntry } from '../contract/api.ts';
import type { LineCompletion } from '../contract/completion.ts';
import { TerminalId } from '../contract/ids.ts';
import { OnMachine } from '../contract/machines.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import { procedure, router } from './trpc.ts';

const Word = z.object({ terminalId: TerminalId, word: z.string().max(4096) });
const Line = z.object({ terminalId: TerminalId, text: z.string().max(65_536), caret: z.int().min(0) });

/** Completion for the composer. */
export const completeRouter = router({
  /** Completions at the caret of a command line, at most 100. */
  line: procedure
    .input(Line)
    .query(
      ({ ctx: { core }, input }): Promise<LineCompletion> =>
        core.composing.completion.line(completed(core.terminal(input.terminalId)), input.text, input.caret),
    ),
  /** Whether the shell has a command of that name; null if unknown. */
  isCommand: procedure
    .input(Word)
    .query(
      ({ ctx: { core }, input }): Promise<boolean | null> =>
        core.composing.completion.isCommand(completed(core.terminal(input.terminalId)), input.word),
    ),
});

/** Commands of all terminals, for the composer and the search through them. */
export const historyRouter = router({
  /** Commands of all terminals, newest first, each text once. */
  list: procedure
    .input(
      OnMachine.extend({
        query: z.string().max(1000).default(''),
        limit: z.number().int().min(1).max(1000).default(200),
      }),
    )
    .query(({ ctx, input }): HistoryEntry[] => ctx.core.history.list(input.query, input.limit)),

  /** The newest command that begins with `prefix`; one of the folder before one of the project, before any other. */
  nearest: procedure
    .input(
      OnMachine.extend({
        prefix: z.string().min(1).max(1000),
        cwd: z.string().max(4096),
        project: z.string().max(4096).nullable(),
      }),
    )
    .query(({ ctx, input }): string | null => ctx.core.history.nearest(input)),

  /** Commands that begin with `prefix`, newest first, each text once. */
  startingWith: procedure
    .input(OnMachine.extend({ prefix: z.string().max(10_000), limit: z.number().int().min(1).max(1000) }))
    .query(({ ctx, input }): HistoryEntry[] => ctx.core.history.startingWith(input.prefix, input.limit)),
});

function completed({ view, reports, pid }: PtyInstance): CompletedTerminal {
  const names = reports.names.now;
  const isOwnPrompt = view.atPrompt && view.quality.level === 'rich';
  // A nested shell may be on another machine with other files.
  return {
    shell: view.shell,
    cwd: view.cwd,
    isOwnPrompt,
    words: reports.words.now,
    names: names?.pid === pid ? names : null,
  };
}
