import { z } from 'zod';
import type { PastPage, PastRow } from '../../contract/past.ts';
import { withoutMachine } from '../../shared/machineIds.ts';
import { later } from '../../util/Clock.ts';
import type { MachineLink } from '../MachineLink.ts';
import { RemotePastPage } from '../remoteShapes.ts';
import { type Cursors, cursorsOf, FROM_START, joinCursors } from './cursors.ts';
import type { MergedCall } from './mergedLists.ts';
import { answerOf } from './routes.ts';

/** Time limit of a machine's answer. */
const MOST_MS = 15_000;
const DEFAULT_LIMIT = 50;

const Query = z.looseObject({
  ...{ cursor: z.string().optional(), limit: z.number().optional(), isHere: z.boolean().optional() },
});

/** The page of one machine; for this one `key` is ''. */
interface Source {
  readonly key: string;
  readonly page: PastPage;
}

/** A page of the conversations of all machines, newest first; it names the machines that did not answer. */
export async function pastEverywhere({ machines, input, own, signal }: MergedCall): Promise<PastPage> {
  const ours = (await own) as PastPage;
  const query = Query.safeParse(input).data ?? {};
  const cursors = cursorsOf(query.cursor);
  if (query.isHere === true || (machines.view.machines.length === 0 && query.cursor === undefined)) return ours;
  const silent = cursors === null ? machines.absent.map(({ name }) => name) : [];
  const ask = async (link: MachineLink): Promise<Source[]> => {
    const { key, name } = link.view;
    const ended = new AbortController();
    try {
      const given = { ...query, cursor: cursors?.[key] || undefined };
      const late = later(machines.clock, MOST_MS, ended.signal).then(() => Promise.reject(new Error('it is late')));
      const answer = await Promise.race([link.call('query', 'agent.past.page', given, signal), late]);
      return [{ key, page: answerOf(key, 'agent.past.page', RemotePastPage.parse(answer)) as PastPage }];
    } catch {
      silent.push(name); // the reason is shown with the machine
      return [];
    } finally {
      ended.abort();
    }
  };
  const links = machines.connected.filter(({ view }) => cursors === null || view.key in cursors);
  const others = (await Promise.all(links.map(ask))).flat();
  return { ...joined([{ key: '', page: ours }, ...others], query.limit ?? DEFAULT_LIMIT, cursors), silent };
}

/** Keeps each machine's own order: a search may order by more than the time of a row. */
function joined(sources: readonly Source[], limit: number, before: Cursors | null): PastPage {
  const left = sources.map(({ key, page: { rows } }) => ({ key, rows: [...rows] }));
  const rows: PastRow[] = [];
  while (rows.length < limit) {
    const [newest] = left
      .filter((one) => one.rows.length > 0)
      .sort((a, b) => (b.rows[0]?.updatedMs ?? 0) - (a.rows[0]?.updatedMs ?? 0));
    const row = newest?.rows.shift();
    if (row === undefined) break;
    rows.push(row);
  }
  const hasMore = sources.some(({ page }, at) => page.next !== null || (left[at]?.rows.length ?? 0) > 0);
  const next = sources.map(({ key, page }, at): [string, string] => {
    const last = page.rows[page.rows.length - (left[at]?.rows.length ?? 0) - 1];
    return [key, last ? bareKey(key, last.key) : (before?.[key] ?? FROM_START)];
  });
  return { rows, next: hasMore ? joinCursors(Object.fromEntries(next)) : null, facets: facetsOf(sources) };
}

/** A cursor is a row's key as its machine names it. */
function bareKey(machine: string, key: string): string {
  return machine === '' ? key : withoutMachine(key);
}

function facetsOf(sources: readonly Source[]): PastPage['facets'] {
  const facets = sources.flatMap(({ page }) => page.facets ?? []);
  if (facets.length === 0) return null;
  return {
    agents: summed(
      facets.flatMap(({ agents }) => agents),
      ({ agent }) => agent,
    ),
    folders: summed(
      facets.flatMap(({ folders }) => folders),
      ({ cwd }) => cwd,
    ),
  };
}

/** One of each name with the counts added, largest first. */
function summed<T extends { readonly count: number }>(all: readonly T[], nameOf: (one: T) => string): T[] {
  const byName = Map.groupBy(all, nameOf);
  return [...byName.values()]
    .flatMap(([first, ...rest]) =>
      first ? [{ ...first, count: rest.reduce((sum, one) => sum + one.count, first.count) }] : [],
    )
    .sort((a, b) => b.count - a.count);
}
