import type { MachineView } from '../../src-main/contract/machines.ts';
import type { Group } from '../../src-main/shared/groupTerminals.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';

/** The terminals of one machine; `machine` is null for this one. */
export interface MachineGroup<T> {
  readonly machine: MachineView | null;
  readonly groups: readonly Group<T>[];
}

/** This machine first, then each other one in its order, with or without terminals. A group whose machine is not known yet stays with ours. */
export function machineGroups<T extends { id: string }>(
  groups: readonly Group<T>[],
  machines: readonly MachineView[],
): MachineGroup<T>[] {
  const known = new Set(machines.map(({ key }) => key));
  const split = groups.flatMap(byMachine);
  const keyOf = ({ terminals: [first] }: Group<T>): string | null => (first ? machineOf(first.id) : null);
  const of = (key: string | null) =>
    split.filter((group) => (known.has(keyOf(group) ?? '') ? keyOf(group) === key : key === null));
  return [null, ...machines].map((machine) => ({ machine, groups: of(machine?.key ?? null) }));
}

/** Where projects are not shown, one group holds the terminals of all machines. */
function byMachine<T extends { id: string }>({ root, terminals }: Group<T>): Group<T>[] {
  const parts = Map.groupBy(terminals, ({ id }) => machineOf(id));
  return [...parts].map(([key, own]) => ({ root: key !== null && root === '' ? key : root, terminals: own }));
}
