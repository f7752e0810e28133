import type { IdleReason } from '../../contract/mcp/exec.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import type { KeyedQueue } from '../../util/KeyedQueue.ts';
import { type LineOutcome, LineWriter } from './LineWriter.ts';

/** A prompt may take this long until its line editor reads. */
const TRY_MS = 3_000;
const AGAIN_MS = 60;
/** A shell says within this time that it cannot start a program. */
const START_MS = 3_000;
/** Exit codes of a program that cannot be executed or was not found. */
const NOT_STARTED: readonly (number | null)[] = [126, 127];

export interface RunDeps {
  readonly clock: Clock;
  /** One command or answer per terminal at a time. */
  readonly turns: KeyedQueue;
  randomId(bytes: number): string;
}

export interface LineToRun {
  readonly cmd: string;
  /** Called right before the first byte and before Return; false sends nothing. */
  isStillAllowed(): boolean;
  /** Called right before Return. */
  returning(): void;
}

/**
 * Runs a command of the person in a terminal whose shell is at an empty prompt. Throws an error with a text for people if it did not run. It never
 * types into a program, and leaves text at the prompt as it is.
 */
export async function runAtPrompt(terminal: PtyInstance, line: LineToRun, deps: RunDeps): Promise<void> {
  const { clock, turns } = deps;
  const writer = new LineWriter(terminal, clock);
  const toSend = { ...line, blockId: `r-${deps.randomId(6)}`, actor: 'user', typingHoldMs: 0 };
  const untilMs = clock.monotonicMs() + TRY_MS;
  for (;;) {
    if (terminal.view.state === 'exited') throw new Error('Its shell has exited. Restart it first');
    const outcome = await turns.run(terminal.id, () => send(terminal, writer, toSend));
    if (outcome.type === 'sent') return await started(terminal, toSend, clock);
    const why = whyNot(outcome);
    if (outcome.type !== 'blocked' || isBusy(outcome) || clock.monotonicMs() >= untilMs)
      throw new Error(`Nothing was run, because ${why}`);
    await new Promise<void>((resolve) => void clock.after(AGAIN_MS, resolve));
  }
}

async function send(terminal: PtyInstance, writer: LineWriter, line: Parameters<LineWriter['send']>[0]) {
  const outcome = await writer.send(line);
  const hasBegun = () => terminal.book.runningId === line.blockId;
  if (outcome.type === 'sent' && (await writer.begins(line.blockId, hasBegun)) !== 'begun')
    throw new Error('The shell took the line and started nothing');
  return outcome;
}

/** Resolves when the command runs for a while, is known as an agent, or has ended. Throws if the shell could not start it. */
async function started(terminal: PtyInstance, line: { cmd: string; blockId: string }, clock: Clock): Promise<void> {
  const { book } = terminal;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (book.runningId !== line.blockId || terminal.view.agent !== null) resolve();
  };
  const listening = [clock.after(START_MS, resolve), book.onChange(look), terminal.onChanged(look)];
  look();
  await promise;
  for (const one of listening) one.dispose();
  const exitCode = book.runningId === line.blockId ? null : ((await book.get(line.blockId))?.exitCode ?? null);
  if (!NOT_STARTED.includes(exitCode)) return;
  const [program] = line.cmd.split(' ', 1);
  throw new Error(
    `Its shell could not start ${program}, exit code ${exitCode}. Check that it is installed and on the PATH`,
  );
}

/** A program runs, which does not end by itself soon. */
function isBusy({ report }: Extract<LineOutcome, { type: 'blocked' }>): boolean {
  return (['block_running', 'alt_screen', 'agent_session'] satisfies IdleReason[]).some((one) =>
    report.reasons.includes(one),
  );
}

function whyNot(outcome: Exclude<LineOutcome, { type: 'sent' }>): string {
  switch (outcome.type) {
    case 'blocked':
      if (isBusy(outcome)) return 'a program runs there';
      if (outcome.report.reasons.includes('line_not_empty')) return 'there is text at its prompt';
      return 'its shell is at no prompt that Hansard can read';
    case 'gaveWay':
      return 'you typed there at that moment';
    case 'changed':
      return 'its shell went to another folder at that moment';
    case 'failed':
      return outcome.why;
  }
}
