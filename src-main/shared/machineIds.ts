import type { MachineKey } from '../contract/machines.ts';

/** An id of another machine: `on-KEY-ID`. Our own ids never begin with `on-`. */
const OF_MACHINE = /^on-([a-z0-9]{6})-/;

/** The machine that an id belongs to; null for this one. */
export function machineOf(id: string): MachineKey | null {
  return OF_MACHINE.exec(id)?.[1] ?? null;
}

/** Our id for `id` of that machine. */
export function onMachine(key: MachineKey, id: string): string {
  return `on-${key}-${id}`;
}

/** The machine's own id. */
export function withoutMachine(id: string): string {
  return id.replace(OF_MACHINE, '');
}

/** tRPC's code of a refusal of ours: whether the call was made on the machine is not known. A refusal of a machine never has it. */
export const OUTCOME_UNKNOWN = 'CLIENT_CLOSED_REQUEST';

/** tRPC's code of a refusal of ours: the machine is not connected, so the call was not made. A refusal of a machine never has it. */
export const NOT_CONNECTED = 'SERVICE_UNAVAILABLE';
