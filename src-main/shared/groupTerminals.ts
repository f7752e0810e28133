import { machineOf, onMachine } from './machineIds.ts';

/** Terminals of one project, in the order of their tabs. */
export interface Group<T> {
  readonly root: string;
  readonly terminals: T[];
}

interface Placed {
  readonly id: string;
  readonly view: { readonly cwd: string };
}

/**
 * Terminals by project: projects that `order` names first, then the others as their first tab comes. A terminal whose project is not known
 * yet stands by its folder.
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

/** Two machines may have a folder of the same name. */
function folderOf({ id, view: { cwd } }: Placed): string {
  const machine = machineOf(id);
  return machine === null ? cwd : onMachine(machine, cwd);
}

/** Where an item dropped at `to` among the shown ones stands among all of them (both without the dropped one). */
export function placeAmongAll(all: readonly string[], shown: readonly string[], to: number): number {
  const next = shown[to];
  if (next !== undefined) return all.indexOf(next);
  const last = shown.at(-1);
  return last === undefined ? 0 : all.indexOf(last) + 1;
}
