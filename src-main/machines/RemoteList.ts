import type { z } from 'zod';
import type { MachineKey } from '../contract/machines.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { Emitter } from '../util/Emitter.ts';
import { BoundedItems } from './BoundedItems.ts';
import { ChangePace } from './ChangePace.ts';
import type { MachineLink } from './MachineLink.ts';
import { MAX_ITEMS } from './remoteShapes.ts';

/** A change of a list: all items of one machine, one item, or one removed item. `isFirst`: the machine was `unheard` before. */
export type ListChange<T> =
  | {
      readonly type: 'all';
      readonly key: MachineKey;
      readonly items: readonly T[];
      readonly gone: readonly string[];
      readonly isFirst?: true;
    }
  | { readonly type: 'put'; readonly item: T; readonly isNew: boolean }
  | { readonly type: 'gone'; readonly id: string };

/** The wire format of one list, and its ids on this machine. */
export interface ListKind<T> {
  readonly path: string;
  readonly shape: z.ZodType<T, unknown>;
  /** The content of a change of that path; null if it is not understood. */
  parts(change: unknown): { all: readonly unknown[] } | { put: unknown } | { gone: string } | null;
  /** The item with ids of this machine. */
  rename(key: MachineKey, item: T): T;
  /** The id of an item as the machine names it, and of one in a `gone` change, on this machine. */
  idOf(item: T): string;
  idOfGone(key: MachineKey, id: string): string;
  /** For a list that does not begin with all items: an item's state after a lost connection, until the machine sends it again. */
  cleared?(item: T): T;
}

/** A list that every connected machine has. Keeps a machine's last items while its connection is lost. */
export class RemoteList<T> implements IDisposable {
  readonly #kind: ListKind<T>;
  readonly #items = new Map<MachineKey, BoundedItems<T>>();
  readonly #following = new Map<MachineKey, { unsubscribe(): void }>();
  readonly #paces = new Map<MachineKey, ChangePace>();
  readonly #unheard = new Set<MachineKey>();
  readonly #clock: Clock;
  readonly #changed = new Emitter<ListChange<T>>();

  readonly onChange = this.#changed.on;

  constructor(kind: ListKind<T>, clock: Clock) {
    this.#kind = kind;
    this.#clock = clock;
  }

  /** Whether the machine has more items than are kept here: the oldest are left out. */
  isCut(key: MachineKey): boolean {
    return this.#of(key).isCut;
  }

  idOf(item: T): string {
    return this.#kind.idOf(item);
  }

  /** The content of a change of this machine's own list, which has the same form. */
  partsOf(change: unknown): { all: readonly T[] } | { put: T } | { gone: string } | null {
    return this.#kind.parts(change) as ReturnType<RemoteList<T>['partsOf']>; // ours is not parsed
  }

  get all(): T[] {
    return [...this.#items.values()].flatMap((items) => items.all());
  }

  /** Machines that are being connected again and have not sent their items since this core started. */
  get unheard(): MachineKey[] {
    return [...this.#unheard];
  }

  /** Call before an earlier machine is connected again. */
  expect(key: MachineKey): void {
    this.#unheard.add(key);
  }

  /** Call with each new connection. */
  follow(key: MachineKey, link: MachineLink): void {
    if (this.#following.has(key)) return this.#clear(key);
    const ignore = (): void => undefined; // the next connection begins again
    const running = link.subscribe(this.#kind.path, () => undefined, {
      onData: (change) => this.#take(key, change),
      onError: ignore,
      onComplete: ignore,
    });
    this.#following.set(key, running);
  }

  /** Call when the person disconnects the machine: removes its items. */
  leave(key: MachineKey): void {
    this.#following.get(key)?.unsubscribe();
    this.#following.delete(key);
    this.#replace(key, []);
    this.#items.delete(key);
  }

  dispose(): void {
    for (const running of this.#following.values()) running.unsubscribe();
    for (const pace of this.#paces.values()) pace.dispose();
    this.#changed.dispose();
  }

  #take(key: MachineKey, change: unknown): void {
    const parts = this.#kind.parts(change);
    if (parts === null) return;
    if ('all' in parts)
      this.#replace(
        key,
        parts.all.slice(-MAX_ITEMS).flatMap((item) => this.#read(key, item) ?? []),
        parts.all.length > MAX_ITEMS,
      );
    else if ('put' in parts) this.#put(key, this.#read(key, parts.put));
    else this.#drop(key, this.#kind.idOfGone(key, parts.gone));
  }

  #read(key: MachineKey, value: unknown): T | null {
    const read = this.#kind.shape.safeParse(value);
    return read.success ? this.#kind.rename(key, read.data) : null;
  }

  #replace(key: MachineKey, items: readonly T[], isCut = false): void {
    const next = new BoundedItems<T>(isCut);
    for (const item of items) {
      const id = this.#kind.idOf(item);
      if (!this.#isOfAnother(key, id)) next.put(id, item);
    }
    const gone = this.#of(key)
      .ids()
      .filter((id) => !next.has(id));
    this.#items.set(key, next);
    const isFirst = this.#unheard.delete(key);
    this.#say({ type: 'all', key, items: next.all(), gone, ...(isFirst && { isFirst }) }, key);
  }

  #put(key: MachineKey, item: T | null): void {
    const items = this.#of(key);
    if (item === null) return;
    const id = this.#kind.idOf(item);
    const isNew = !items.has(id);
    if (isNew && this.#isOfAnother(key, id)) return;
    this.#items.set(key, items);
    const dropped = items.put(id, item);
    for (const each of dropped) if (each !== id || !isNew) this.#say({ type: 'gone', id: each }, key);
    if (!dropped.includes(id)) this.#say({ type: 'put', item, isNew }, key);
  }

  #clear(key: MachineKey): void {
    const { cleared } = this.#kind;
    if (!cleared) return;
    for (const item of this.#of(key).all()) this.#put(key, cleared(item));
  }

  #drop(key: MachineKey, id: string): void {
    if (this.#of(key).delete(id)) this.#say({ type: 'gone', id }, key);
  }

  #say(change: ListChange<T>, key: MachineKey): void {
    const pace = this.#paces.get(key) ?? new ChangePace(this.#clock, (gone) => this.#sayAll(key, gone));
    this.#paces.set(key, pace);
    const gone = change.type === 'all' ? change.gone : change.type === 'gone' ? [change.id] : [];
    const mayPass = pace.lets(change.type === 'all' ? change.items.length : 1, gone);
    if (mayPass || (change.type === 'all' && change.isFirst)) this.#changed.fire(change);
  }

  #sayAll(key: MachineKey, gone: ReadonlySet<string>): void {
    const items = this.#of(key);
    const left = [...gone].filter((id) => !items.has(id));
    this.#changed.fire({ type: 'all', key, items: items.all(), gone: left });
  }

  /** Some ids do not contain a machine's name, such as those of conversations: one machine must not replace another's item. */
  #isOfAnother(key: MachineKey, id: string): boolean {
    return [...this.#items].some(([of, items]) => of !== key && items.has(id));
  }

  #of(key: MachineKey): BoundedItems<T> {
    return this.#items.get(key) ?? new BoundedItems();
  }
}
