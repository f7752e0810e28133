import { constants as osConstants } from 'node:os';
import { CliError, EXIT } from '../print/exitCodes.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { Attachment, type AttachOptions, type Ended } from './Attachment.ts';
import { type KeySequence, parseDetachKeys } from './detachKeys.ts';
import { LocalTerminal } from './LocalTerminal.ts';

export const DETACH_KEYS = 'ctrl+\\ d';

/** The keys of `text`; an empty sequence never detaches. */
export function readKeys(text: string): KeySequence {
  return parseDetachKeys(text) ?? [];
}

/** Whether this process runs in a terminal of Hansard. */
export function isOwnTerminal(): boolean {
  return process.env.TERM_PROGRAM === 'hansard';
}

/** Takes this process's terminal, to attach to another one. Throws a CliError with the remedy if there is none, or if it is one of Hansard's. */
export function takeLocalTerminal(remedy: string): LocalTerminal {
  const local = new LocalTerminal();
  if (isOwnTerminal())
    throw new CliError(`this terminal belongs to Hansard and would show itself (${remedy})`, EXIT.usage);
  return local;
}

/** Shows a terminal of the core until the person detaches or it ends; sets the exit code. Rejects with a CliError if the connection is lost. */
export async function attachHere(core: LiveCore, local: LocalTerminal, options: AttachOptions): Promise<void> {
  try {
    // Imported here, because most commands need no emulator.
    const { AttachedScreen } = await import('./AttachedScreen.ts');
    const ended = await new Attachment(
      core.connection,
      { local, screen: new AttachedScreen(local.size) },
      options,
    ).run();
    local.restore(`[${remarkOf(ended, options.terminalId)}]\r\n`);
    if (ended.by === 'loss')
      throw new CliError(`the connection to the terminal ended: ${ended.reason}`, EXIT.unavailable);
    process.exitCode = exitCodeOf(ended);
  } finally {
    local.restore();
  }
}

function remarkOf(ended: Ended, id: string): string {
  if (ended.by === 'exit') return `the shell in ${id} has ended`;
  return ended.by === 'detach' ? `detached from ${id}` : `left ${id}`;
}

function exitCodeOf(ended: Ended): number {
  if (ended.by === 'exit') return ended.signal === null ? (ended.exitCode ?? 0) : 128 + signalNumber(ended.signal);
  return ended.by === 'signal' ? 128 + signalNumber(ended.signal ?? 'SIGHUP') : EXIT.ok;
}

function signalNumber(name: string): number {
  return osConstants.signals[name as NodeJS.Signals] ?? 0;
}
