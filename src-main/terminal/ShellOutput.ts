import type { MaskedChunk } from '../events/masks/NonceMask.ts';
import { ShellMask } from '../events/masks/ShellMask.ts';
import { ChunkCoalescer } from '../pty/ChunkCoalescer.ts';
import type { PtyProcess, RecordedChunk } from '../pty/PtyProcess.ts';
import type { LaunchPlan } from '../shells/launchPlan.ts';
import type { Clock } from '../util/Clock.ts';
import { Disposables, type IDisposable } from '../util/Disposables.ts';
import type { TerminalRecord } from './TerminalRecord.ts';

/** Data that the owner of a PTY keeps for a core that takes the shell over. */
export interface ShellNote {
  readonly plan: LaunchPlan;
  /** Key of agents' hooks in that shell. */
  readonly hookKey: string | null;
}

export function shellNote(plan: LaunchPlan, env: Readonly<Record<string, string>>): string {
  const note: ShellNote = { plan: { ...plan, env: {} }, hookKey: env.HANSARD_HOOK_KEY ?? null };
  return JSON.stringify(note);
}

/** Throws on another program's note, which would be a bug. */
export function readShellNote(note: string): ShellNote {
  return JSON.parse(note) as ShellNote;
}

export interface ShellOutputDeps {
  readonly clock: Clock;
  readonly nonce: string;
  readonly record: TerminalRecord;
  /** Gets masked output, in order. `recorded`: the owner of the PTY has written it, with its time. */
  take(chunk: MaskedChunk, recorded?: RecordedChunk): void;
}

/**
 * The first stage of a terminal: the output of one shell with its nonce masked. If another process owns the PTY, that process masks
 * and records the output, and the record follows its file; otherwise this class masks it.
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

  /** Passes on the bytes held as the possible start of a nonce. */
  flush(): void {
    this.#mask?.flush();
  }

  /** Call this when the shell has exited. */
  end(): void {
    this.#mask?.end();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
