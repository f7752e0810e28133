import type { MaskedChunk } from '../events/masks/NonceMask.ts';
import { ShellMask } from '../events/masks/ShellMask.ts';
import { ChunkCoalescer } from '../pty/ChunkCoalescer.ts';
import type { PtyProcess, RecordedChunk } from '../pty/PtyProcess.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { Clock } from '../util/Clock.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import type { TerminalRecord } from './TerminalRecord.ts';

/** What the owner of a PTY keeps for a core that takes the shell over. */
export interface ShellNote {
  readonly plan: LaunchPlan;
  /** With which the hooks of agents in that shell call. */
  readonly hookKey: string | null;
}

export function shellNote(plan: LaunchPlan, env: Readonly<Record<string, string>>): string {
  const note: ShellNote = { plan: { ...plan, env: {} }, hookKey: env.HANSARD_HOOK_KEY ?? null };
  return JSON.stringify(note);
}

/** Throws on a note of another program, which would be a bug. */
export function readShellNote(note: string): ShellNote {
  return JSON.parse(note) as ShellNote;
}

export interface ShellOutputDeps {
  readonly clock: Clock;
  readonly nonce: string;
  readonly record: TerminalRecord;
  /** Masked output, in order. `recorded`: the owner of the PTY has written it, at that time. */
  take(chunk: MaskedChunk, recorded?: RecordedChunk): void;
}

/**
 * The front of a terminal's pipeline: the output of one shell with its nonce masked. Where the owner of the PTY is another process, it has
 * masked and recorded the output, and the record follows its file; otherwise both is done here.
 */
export class ShellOutput implements IDisposable {
  readonly nonce: string;
  readonly #owned = new Disposables();
  readonly #mask: ShellMask | null = null;

  constructor(process: PtyProcess, { clock, nonce, record, take }: ShellOutputDeps) {
    const { recorded } = process;
    this.nonce = nonce;
    if (recorded) {
      record.followHost(recorded);
      this.#owned.add(recorded.onChunk((chunk) => take({ bytes: chunk.bytes, nonceAt: chunk.nonceAt }, chunk)));
      return;
    }
    record.writeHere();
    const mask = new ShellMask({ clock, nonce, offset: record.size, take });
    this.#mask = mask;
    const gather = this.#owned.add(new ChunkCoalescer(clock, (bytes) => mask.feed(bytes)));
    this.#owned.add(process.onBytes((bytes) => gather.take(bytes)));
    this.#owned.add(process.onExit(() => gather.flush()));
  }

  /** Gives out what is held as the possible start of a nonce. */
  flush(): void {
    this.#mask?.flush();
  }

  /** The shell has ended. */
  end(): void {
    this.#mask?.end();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
