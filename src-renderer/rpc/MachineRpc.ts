import type { MachineChoice, MachinesView } from '../../src-main/contract/machines.ts';
import type { RefusedViews } from './Refusals.ts';
import type { Listen, Stop } from './Rpc.ts';

/** Success, or the reason for a failure as a sentence. */
export type MachineVerdict = { ok: true } | { ok: false; reason: string };

/** Other machines, reached by the person's ssh. */
export interface MachineRpc {
  onChange(listen: Listen<MachinesView>): Stop;
  /** The terminals whose view has stopped because of what their machine sent. */
  onRefused(listen: Listen<RefusedViews>): Stop;
  /** Follows such a terminal again. */
  followAgain(input: { terminalId: string }): void;
  /** Destinations of ~/.ssh/config. */
  choices(): Promise<MachineChoice[]>;
  /** Adds a machine and begins to connect, or connects it again; progress and questions come by `onChange`. */
  connect(input: { name: string }): Promise<{ ok: true; key: string } | { ok: false; reason: string }>;
  disconnect(input: { key: string }): Promise<unknown>;
  /**
   * Removes it from the list; with `server` also the Hansard that was copied there, or `left` says why it stays and how to remove it. Its record
   * stays there.
   */
  forget(input: { key: string; server: boolean }): Promise<{ ok: true; left?: string } | { ok: false; reason: string }>;
  /** `answer`: the typed text, 'yes' for a confirmation, null for no. Returns false if the question is no longer open. */
  answer(input: { key: string; questionId: string; answer: string | null }): Promise<boolean>;
  /** Makes a port of that machine reachable at a port of this one. */
  forward(input: {
    key: string;
    port: number;
  }): Promise<{ ok: true; localPort: number } | { ok: false; reason: string }>;
  /** Stops a forward. */
  unforward(input: { key: string; port: number }): Promise<MachineVerdict>;
}
