import { machineOf, onMachine } from './machineIds.ts';

/** Terminals of one project, in the order of their tabs. */
export interface Group<T> {
  readonly root: string;
  readonly terminals: T[];
}

interface Placed {
  readonly id: string;
  readonly cwd: string;
}

/**
 * Groups terminals by project: first the projects in `order`, then the others in the order of their first tabs. A terminal without a
 * known project is grouped by its folder.
 */
export function groupTerminals<T extends Placed>(
  list: readonly T[],
  rootOf: Readonly<Record<string, string>>,
  order: readonly string[],
): Group<T>[] {
  const groups = new Map<string, Group<T>>();
  for (const terminal of list) {
    const root = rootOf[terminal.id] ?? folderOf(terminal);
    const group = groups.get(root) ?? { root, terminals: [] };
    group.terminals.push(terminal);
    groups.set(root, group);
  }
  const place = new Map(order.map((root, at) => [root, at]));
  return [...groups.values()].sort((a, b) => (place.get(a.root) ?? order.length) - (place.get(b.root) ?? order.length));
}

/** Two machines may have folders of the same name. */
function folderOf({ id, cwd }: Placed): string {
  const machine = machineOf(id);
  return machine === null ? cwd : onMachine(machine, cwd);
}

/** Index among all items of an item dropped at `to` among the shown ones (both lists without the dropped one). */
export function placeAmongAll(all: readonly string[], shown: readonly string[], to: number): number {
  const next = shown[to];
  if (next !== undefined) return all.indexOf(next);
  const last = shown.at(-1);
  return last === undefined ? 0 : all.indexOf(last) + 1;
}
