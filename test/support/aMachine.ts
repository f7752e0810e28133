import type { MachineView } from '../../src-main/contract/machines.ts';

/** A machine as the core describes it. */
export function aMachine(change: Partial<MachineView> & Pick<MachineView, 'key' | 'name'>): MachineView {
  return {
    state: 'connected',
    reason: null,
    retryMs: null,
    question: null,
    step: { words: 'start', percent: null },
    latencyMs: 12,
    isSlow: false,
    isCut: false,
    info: { version: '1.0.0', hostName: change.name, home: '/root', platform: 'linux' },
    forwards: [],
    ...change,
  };
}
