import type { MachineQuestion, MachineView } from '../contract/machines.ts';

/** Delays between tries: short for a brief interruption, long for a machine that is off. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** ssh reports what it cannot do sooner, so after this time without our line something there waits. */
export const MUTE_MS = 30_000;
const MUTE =
  'No answer for 30 seconds. If it stays so, a start-up file there, such as .bashrc, may wait for input or start another shell.';

/** Events of a machine. Times in ms since 1970. */
export type MachineEvent =
  | { type: 'wanted' }
  | { type: 'unwanted' }
  | { type: 'step'; words: MachineView['step']['words']; percent?: number }
  | { type: 'mute' }
  | { type: 'asked'; question: MachineQuestion | null }
  | { type: 'found'; info: NonNullable<MachineView['info']> }
  | { type: 'up' }
  | { type: 'latency'; ms: number | null }
  | { type: 'slow' }
  | { type: 'down'; reason: string; isFinal: boolean; atMs: number }
  | { type: 'forwards'; forwards: MachineView['forwards'] };

/** A machine and the state that its next step depends on. */
export interface MachineStatus {
  readonly view: MachineView;
  /** Number of tries since the last connection. */
  readonly tries: number;
  /** Whether it was connected since the person wanted it, so that a lost connection is retried automatically. */
  readonly wasUp: boolean;
}

/** The machine after an event. Pure. */
export function reduceMachine(status: MachineStatus, event: MachineEvent): MachineStatus {
  const { view } = status;
  switch (event.type) {
    case 'wanted':
      if (view.state === 'connected' || view.state === 'connecting') return status;
      return changed(status, {
        state: 'connecting',
        step: { words: 'ssh', percent: null },
        reason: null,
        retryMs: null,
      });
    case 'unwanted':
      return {
        ...changed(status, { state: 'off', ...QUIET, reason: null }),
        ...{ tries: 0, wasUp: false },
      };
    case 'step':
      return changed(status, { step: { words: event.words, percent: event.percent ?? null }, reason: null });
    case 'mute':
      return view.state === 'connecting' && view.question === null ? changed(status, { reason: MUTE }) : status;
    case 'asked':
      return view.state === 'connecting' ? changed(status, { question: event.question }) : status;
    case 'found':
      return view.state === 'connecting' ? changed(status, { info: event.info }) : status;
    case 'up':
      if (view.state !== 'connecting') return status;
      return {
        ...changed(status, { state: 'connected', ...QUIET, reason: null }),
        ...{ tries: 0, wasUp: true },
      };
    case 'latency':
      return view.state === 'connected' ? changed(status, { latencyMs: event.ms, isSlow: false }) : status;
    case 'slow':
      return view.state === 'connected' ? changed(status, { isSlow: true }) : status;
    case 'forwards':
      return view.state === 'connected' ? changed(status, { forwards: event.forwards }) : status;
    case 'down':
      return down(status, event);
  }
}

/** Values that do not apply to a machine that is not connected. */
const QUIET = { retryMs: null, question: null, latencyMs: null, isSlow: false, forwards: [] } as const;

function down(status: MachineStatus, event: Extract<MachineEvent, { type: 'down' }>): MachineStatus {
  const { state } = status.view;
  if (state !== 'connected' && state !== 'connecting') return status;
  const { reason, atMs } = event;
  const isRetried = status.wasUp && !event.isFinal;
  if (!isRetried) return changed(status, { ...QUIET, state: 'failed', reason });
  const wait = RETRY_MS[Math.min(status.tries, RETRY_MS.length - 1)] ?? 0;
  return { ...changed(status, { ...QUIET, state: 'lost', reason, retryMs: atMs + wait }), tries: status.tries + 1 };
}

function changed(status: MachineStatus, change: Partial<MachineView>): MachineStatus {
  return { ...status, view: { ...status.view, ...change } };
}
