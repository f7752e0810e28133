import type { PlanItem, PlanSource } from '../../../contract/chat/progress.ts';
import { asFields, asList, asString, type Fields } from './jsonFields.ts';

/** An item of a list whose tools name its items. */
export interface KnownItem extends PlanItem {
  readonly id: string;
}

/** Applies one call to the list. `result`: the tool's result; `output`: its text for the model. Null if the call cannot be understood. */
export interface PlanTool {
  (
    items: readonly KnownItem[],
    call: { readonly args: Fields; readonly result: Fields | null; readonly output: string },
  ): readonly KnownItem[] | null;
  /** It gives the whole list and replaces the earlier one. */
  readonly isWhole?: boolean;
}

/** Calls that wait for their result; an agent has few at a time. */
const MAX_OPEN_CALLS = 100;
/** A longer list is a fault of a model that repeats itself. */
const MAX_ITEMS = 10_000;

/**
 * Folds the calls of an agent's to-do tools into its list. Only a call that succeeded counts. A call that cannot be understood does not
 * change the list but marks it as a part, until a whole list comes.
 */
export class PlanFold {
  readonly #tools: Readonly<Record<string, PlanTool>>;
  readonly #open = new Map<string, { readonly name: string; readonly args: Fields }>();
  #items: readonly KnownItem[] | null = null;
  #isPart = false;

  /** `state`: of an earlier fold, as JSON. */
  constructor(tools: Readonly<Record<string, PlanTool>>, state: unknown) {
    this.#tools = tools;
    const known = asFields(state);
    if (!known) return;
    this.#items = known.items === null ? null : asList(known.items).flatMap((item) => knownItem(asFields(item)));
    this.#isPart = known.isPart === true;
    for (const entry of asList(known.open)) {
      const [id, name, args] = asList(entry);
      if (typeof id === 'string' && typeof name === 'string') this.#open.set(id, { name, args: asFields(args) ?? {} });
    }
  }

  /** Null before the first list. */
  get plan(): PlanSource | null {
    return this.#items && { items: this.#items, isPart: this.#isPart };
  }

  /** Undefined before the first call, so that logs without a plan need no room for it. */
  get state(): object | undefined {
    if (this.#items === null && this.#open.size === 0) return undefined;
    const open = [...this.#open].map(([id, { name, args }]) => [id, name, args]);
    return { items: this.#items, isPart: this.#isPart, open };
  }

  called(id: string, name: string, args: unknown): void {
    if (!Object.hasOwn(this.#tools, name)) return;
    this.#open.set(id, { name, args: asFields(args) ?? {} });
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN_CALLS && oldest !== undefined) this.#open.delete(oldest);
  }

  answered(
    id: string,
    { isFailed = false, ...given }: { isFailed?: boolean; result?: Fields | null; output?: string },
  ): void {
    const call = this.#open.get(id);
    if (!call) return;
    this.#open.delete(id);
    if (isFailed) return;
    const { result = null, output = '' } = given;
    const tool = this.#tools[call.name];
    const next = tool?.(this.#items ?? [], { args: call.args, result, output }) ?? null;
    if (next === null) this.#isPart = true;
    else {
      if (tool?.isWhole) this.#isPart = false;
      if (next !== this.#items) this.#items = next.slice(0, MAX_ITEMS);
    }
  }
}

function knownItem(fields: Fields | null): KnownItem[] {
  const state = STATES[asString(fields?.state) ?? ''] ?? null;
  const text = asString(fields?.text);
  return state === null || text === null ? [] : [{ id: asString(fields?.id) ?? '', text, state }];
}

/** States of an item by the words that agents and this file use. */
const STATES: Readonly<Record<string, PlanItem['state']>> = {
  pending: 'open',
  in_progress: 'active',
  completed: 'done',
  cancelled: 'dropped',
  blocked: 'open',
  ...{ open: 'open', active: 'active', done: 'done', dropped: 'dropped' },
};

/** The state of an item by an agent's word for it; null for an unknown word. */
export function planState(word: unknown): PlanItem['state'] | null {
  return typeof word === 'string' && Object.hasOwn(STATES, word) ? (STATES[word] ?? null) : null;
}

/** A tool that gives the whole list: `list` is its argument, `text` the field of an item with its words. */
export function wholeList(list: string, text: string): PlanTool {
  return whole((_, { args }) => (Array.isArray(args[list]) ? itemsOf(args[list], text) : null));
}

/** Marks a tool that gives the whole list. */
export function whole(tool: PlanTool): PlanTool {
  return Object.assign(tool, { isWhole: true });
}

/** Null if one of the items cannot be understood. */
export function itemsOf(list: readonly unknown[], text: string): KnownItem[] | null {
  const items: KnownItem[] = [];
  for (const entry of list) {
    const fields = asFields(entry);
    const [words, state] = [asString(fields?.[text]), planState(fields?.status)];
    if (words === null || state === null) return null;
    items.push({ id: asString(fields?.id) ?? '', text: words, state });
  }
  return items;
}
