import { z } from 'zod';
import type { SearchEnd, SearchEvent } from '../../contract/search.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables } from '../../util/Disposables.ts';
import { Emitter } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import { detach } from '../../util/strayErrors.ts';
import { RemoteSearchEvent } from '../answers/remoteSearch.ts';
import type { MachineLink } from '../MachineLink.ts';
import type { Machines } from '../Machines.ts';
import { cursorsOf, joinCursors } from './cursors.ts';
import type { MergedCall } from './mergedLists.ts';
import { answerOf, routeOf } from './routes.ts';

/** Limit of events of one machine, which may answer more than requested. */
const MAX_EVENTS = 10_000;
/** Time limit of a machine's search. Hits until then are kept, so that the search here always ends. */
const MOST_MS = 60_000;

const Query = z.looseObject({ cursor: z.string().optional(), terminalId: z.string().optional() });

/**
 * Searches this machine and all connected ones in parallel, or for a terminal only its machine. The end comes when each has ended; it lists those that
 * did not answer, and its `next` is a cursor for all machines.
 */
export async function* findEverywhere({ machines, input, own, signal }: MergedCall): AsyncGenerator<SearchEvent> {
  const query = Query.safeParse(input).data ?? {};
  const only = routeOf(input);
  if (machines.view.machines.length === 0 || (query.terminalId !== undefined && only === null)) {
    yield* own as AsyncIterable<SearchEvent>;
    return;
  }
  const cursors = cursorsOf(query.cursor);
  const events = new Emitter<SearchEvent>();
  const done = new AbortController();
  const ends = new Map<string, SearchEnd>();
  const { links, isOwnAsked, absent } = askedOf(machines, only?.key ?? null, cursors);
  const waiting = new Set([...links.map(({ view }) => view.key), ...(isOwnAsked ? [''] : [])]);
  const finish = (source: string, end: SearchEnd): void => {
    if (!waiting.delete(source)) return;
    ends.set(source, end);
    if (waiting.size > 0) return;
    events.fire(joinedEnd(ends, absent));
    done.abort();
  };
  const running: { unsubscribe(): void }[] = [];
  let hasBegun = false;
  const begin = (): SearchEvent[] => {
    if (hasBegun) throw new Error('This reader is too far behind and must search again.');
    hasBegun = true;
    if (waiting.size === 0) {
      done.abort();
      return [joinedEnd(ends, only === null ? [] : absent)];
    }
    for (const link of links) {
      const cursor = cursors?.[link.view.key];
      const heard = (event: SearchEvent): void => take(link.view.key, event);
      const asked = { ...query, ...(only?.input as object | undefined), cursor };
      running.push(ask(link, { query: asked, clock: machines.clock, take: heard }));
    }
    if (isOwnAsked) detach('mergedSearch', pump());
    return [];
  };
  const take = (source: string, event: SearchEvent): void => {
    if (event.type === 'end') finish(source, event);
    else if (waiting.has(source)) events.fire(event);
  };
  const pump = async (): Promise<void> => {
    try {
      for await (const event of own as AsyncIterable<SearchEvent>) take('', event);
      finish('', failedEnd('The search ended early.'));
    } catch (error) {
      finish('', failedEnd(error instanceof Error ? error.message : String(error)));
    }
  };
  try {
    yield* follow(events.on, begin, signal, done.signal);
  } finally {
    for (const one of running) one.unsubscribe();
    events.dispose();
  }
}

/** Who is asked: all that are connected, or one machine; of a later page those that have more. `absent` names those that cannot be asked. */
function askedOf(machines: Machines, only: string | null, cursors: Readonly<Record<string, string>> | null) {
  const isAsked = (key: string): boolean => (only === null || key === only) && (cursors === null || key in cursors);
  const links = machines.connected.filter(({ view }) => isAsked(view.key));
  if (only === null) {
    const absent = cursors === null ? machines.absent.map(({ name }) => name) : [];
    return { links, isOwnAsked: cursors === null || '' in cursors, absent };
  }
  const [named] = links.length > 0 ? [] : machines.view.machines.filter(({ key }) => key === only);
  return { links, isOwnAsked: false, absent: named ? [named.name] : [] };
}

/** This machine's part of a cursor; nothing if it continues from the start. */
export function ownCursor(cursor: string | undefined): string | undefined {
  const cursors = cursorsOf(cursor);
  return cursors === null ? cursor : cursors[''] || undefined;
}

interface Asked {
  readonly query: object;
  readonly clock: Clock;
  take(event: SearchEvent): void;
}

function ask(link: MachineLink, { query, clock, take }: Asked): { unsubscribe(): void } {
  const { key, name } = link.view;
  let events = 0;
  const owned = new Disposables();
  const fail = (error: unknown): void => {
    owned.dispose();
    take(failedEnd('', { path: `machine ${name}`, reason: error instanceof Error ? error.message : String(error) }));
  };
  const api = link.api;
  if (api === null) {
    fail(new Error('it is not connected'));
    return { unsubscribe: () => undefined };
  }
  api.lost.catch(() => fail(new Error('the connection was lost')));
  owned.add(clock.after(MOST_MS, () => fail(new Error(`its search did not end within ${MOST_MS / 1000} seconds`))));
  const running = api.subscribe('search.find', query, {
    onData: (value) => {
      const read = RemoteSearchEvent.safeParse(value);
      events += 1;
      if (!read.success || events > MAX_EVENTS)
        return fail(new Error('it answered in words that this version does not know'));
      take(answerOf(key, 'search.find', read.data) as SearchEvent);
    },
    onError: fail,
    onComplete: () => fail(new Error('it ended the search early')),
  });
  owned.add({ dispose: () => running.unsubscribe() });
  return { unsubscribe: () => owned.dispose() };
}

function joinedEnd(ends: ReadonlyMap<string, SearchEnd>, absent: readonly string[]): SearchEnd {
  const all = [...ends.values()];
  const next = Object.fromEntries([...ends].flatMap(([key, end]) => (end.next === null ? [] : [[key, end.next]])));
  const isCounted = all.every(({ total }) => total !== null);
  const own = ends.get('');
  return {
    type: 'end',
    by: all.some(({ by }) => by === 'files') ? 'files' : 'index',
    total: isCounted ? all.reduce((sum, { total }) => sum + (total ?? 0), 0) : null,
    isTotalCapped: all.some((end) => end.isTotalCapped),
    next: joinCursors(next),
    indexing: all.find(({ indexing }) => indexing !== null)?.indexing ?? null,
    isResting: all.some((end) => end.isResting),
    leftOut: all.reduce((sum, { leftOut }) => sum + leftOut, 0),
    notSearched: all.flatMap((end) => end.notSearched),
    ...(own?.scanned && { scanned: own.scanned }),
    unread: [
      ...all.flatMap(({ unread }) => unread),
      ...absent.map((name) => ({ path: `machine ${name}`, reason: 'it is not connected' })),
    ],
    error: all.find(({ error }) => error !== null)?.error ?? null,
  };
}

function failedEnd(error: string, unread?: { path: string; reason: string }): SearchEnd {
  return {
    ...{ type: 'end', by: 'index', total: null, isTotalCapped: false, next: null, indexing: null, isResting: false },
    ...{ leftOut: 0, notSearched: [], unread: unread ? [unread] : [], error: error === '' ? null : error },
  };
}
