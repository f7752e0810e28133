import type { SubAgent } from '../../../contract/chat/progress.ts';
import { asFields, asList, asString, type Fields } from './jsonFields.ts';

/** Most sub-agents of one conversation that are followed. */
const MAX_SUB_AGENTS = 1_000;

/** Folds a log's reports about sub-agents into their list, in the order in which they were started. */
export class SubAgentFold {
  readonly #byId = new Map<string, SubAgent>();
  /** Other names of a sub-agent: the agent's id of it, beside the id of the call that started it. */
  readonly #aliases = new Map<string, string>();

  /** `state`: of an earlier fold, as JSON. */
  constructor(state: unknown) {
    const known = asFields(state);
    for (const entry of asList(known?.all).map(asFields)) {
      const own = subAgentOf(entry);
      if (own) this.#byId.set(own.id, own);
    }
    for (const entry of asList(known?.aliases)) {
      const [alias, id] = asList(entry).map(asString);
      if (alias != null && id != null) this.#aliases.set(alias, id);
    }
  }

  /** The logs of sub-agents come in any order, so the names of parents are looked up here. */
  get all(): readonly SubAgent[] {
    return [...this.#byId.values()].map((one) => ({ ...one, parentId: one.parentId && this.#idOf(one.parentId) }));
  }

  /** Undefined without any, so that logs without sub-agents need no room for them. */
  get state(): object | undefined {
    return this.#byId.size === 0 ? undefined : { all: [...this.#byId.values()], aliases: [...this.#aliases] };
  }

  /** `parent`: any name of the sub-agent that starts it; null for the agent itself. A second report of the same id changes nothing. */
  started(id: string, told: { parent: string | null; title: string; kind: string; atMs: number | null }): void {
    if (this.#byId.has(id) || this.#byId.size >= MAX_SUB_AGENTS) return;
    const { parent: parentId, title, kind, atMs } = told;
    this.#byId.set(id, { id, parentId, title, kind, state: 'working', startedMs: atMs ?? 0, sinceMs: atMs ?? 0 });
  }

  /** Updates the description of its task. A field that is not given does not change. */
  described(id: string, told: { title?: string; kind?: string }): void {
    const known = this.#byId.get(id);
    if (known) this.#byId.set(id, { ...known, ...told });
  }

  /** Stops all working sub-agents that started before `atMs`: the agent waits for its sub-agents, and it began something else at that time. */
  stoppedBefore(atMs: number): void {
    for (const { id, state, startedMs } of this.#byId.values())
      if (state === 'working' && startedMs < atMs) this.became(id, 'stopped', atMs);
  }

  /** Adds `alias` as another name of the sub-agent. */
  named(id: string, alias: string): void {
    if (this.#byId.has(id)) this.#aliases.set(alias, id);
  }

  /** A report of the state that a sub-agent already has changes nothing, so `sinceMs` stays. */
  became(name: string, state: SubAgent['state'], atMs: number | null): void {
    const known = this.#byId.get(this.#idOf(name));
    if (known && known.state !== state) this.#byId.set(known.id, { ...known, state, sinceMs: atMs ?? known.sinceMs });
  }

  #idOf(name: string): string {
    return this.#aliases.get(name) ?? name;
  }
}

const STATES: readonly string[] = ['working', 'done', 'failed', 'stopped'] satisfies SubAgent['state'][];

function subAgentOf(fields: Fields | null): SubAgent | null {
  const [id, title, kind, state] = [fields?.id, fields?.title, fields?.kind, fields?.state].map(asString);
  const [startedMs, sinceMs] = [fields?.startedMs, fields?.sinceMs];
  if (id == null || title == null || kind == null || state == null || !STATES.includes(state)) return null;
  if (typeof startedMs !== 'number' || typeof sinceMs !== 'number') return null;
  return {
    id,
    parentId: asString(fields?.parentId),
    title,
    kind,
    state: state as SubAgent['state'],
    startedMs,
    sinceMs,
  };
}
