import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { MachineLink } from '../../machines/MachineLink.ts';
import { type Cursors, cursorsOf, FROM_START, joinCursors } from '../../machines/merge/cursors.ts';
import { isRecord } from '../protocol/answers.ts';
import type { Everywhere, InputNeeded, OtherMachines, TaskBegun, ToolAnswer, ToolCall } from '../protocol/Tool.ts';
import { callMachine } from './callMachine.ts';
import type { LetIn } from './machineFor.ts';

/** Cursors of an answer; the same input accepts all of them. */
const CURSORS = ['resume_cursor', 'older_cursor'] as const;
/** True in the answer of all machines if it is true in one. */
const FLAGS = ['has_more', 'truncated', 'reset'] as const;
/** Added up over all machines. */
const COUNTS = ['scanned_blocks', 'scanned_bytes'] as const;

/** The answer of one machine; for this machine `key` is '' and `host` null. */
interface Heard {
  readonly key: string;
  readonly host: string | null;
  readonly answer: ToolAnswer;
}
interface Silent {
  readonly key: string;
  readonly host: string;
  readonly reason: string;
}
type Item = Record<string, unknown>;

/**
 * Asks this machine and all connected ones in parallel, and lists those that did not answer. A cursor continues on each machine that has more. A call
 * that waits asks once without waiting, then waits until the first machine has a result.
 */
export async function askEverywhere(
  letIn: LetIn,
  machines: OtherMachines,
  call: ToolCall,
): Promise<ToolAnswer | InputNeeded | TaskBegun> {
  const { tool, input } = letIn;
  const { everywhere } = tool;
  const cursors = cursorsOf(typeof input.cursor === 'string' ? input.cursor : undefined);
  const isAlone = machines.connected.length === 0 && machines.absent.length === 0;
  if (cursors !== null && Object.keys(cursors).length === 0)
    throw new ToolFault('BAD_INPUT', 'cursor: a cursor is what an earlier answer gave', 'leave it out for the newest');
  const list = everywhere?.list(input as never) ?? null;
  if (!everywhere || list === null || (isAlone && cursors === null)) return tool.run(input, call);
  const round: Round = { letIn, list, everywhere, machines, call };
  const waitMs = typeof input.wait_ms === 'number' ? input.wait_ms : 0;
  const now = await askAll(round, cursors, 0);
  const isFound = now.some((one) => 'answer' in one && itemsOf(one, list).length > 0);
  if (waitMs === 0 || isFound) return joined(now, round, cursors);
  const next = Object.fromEntries(now.flatMap((one) => nextOf(one, cursors)));
  return joined(await firstOf(round, next, { waitMs, now }), round, next);
}

interface Round {
  readonly letIn: LetIn;
  /** Field of the answers with the list. */
  readonly list: string;
  readonly everywhere: Everywhere<never>;
  readonly machines: OtherMachines;
  readonly call: ToolCall;
  /** Called when a machine has a result, for a call that waits. */
  onFound?(): void;
}

/** This machine first. */
async function askAll(round: Round, cursors: Cursors | null, waitMs: number): Promise<(Heard | Silent)[]> {
  const isAsked = (key: string): boolean => cursors === null || key in cursors || round.everywhere.follows === true;
  const { connected, absent } = round.machines;
  const links = connected.filter(({ view }) => isAsked(view.key));
  const off = absent.filter(({ key }) => isAsked(key));
  const all = [
    askOwn(round, cursors, waitMs),
    ...links.map((link) => ask(link, round, { cursor: cursors?.[link.view.key], waitMs })),
  ];
  const silent = off.map(({ key, name, state }) => ({ key, host: name, reason: `it is not connected (${state})` }));
  return [...(await Promise.all(all.map((one) => one.then((heard) => noted(heard, round))))), ...silent];
}

/** The first machine's answer; for the others, their earlier answers. */
async function firstOf(
  round: Round,
  cursors: Cursors,
  { waitMs, now }: { waitMs: number; now: readonly (Heard | Silent)[] },
): Promise<(Heard | Silent)[]> {
  const first = new AbortController();
  const call = { ...round.call, signal: AbortSignal.any([round.call.signal, first.signal]) };
  const later = await askAll({ ...round, call, onFound: () => first.abort() }, cursors, waitMs);
  round.call.signal.throwIfAborted();
  return later.map((one) =>
    'reason' in one && first.signal.aborted ? (now.find(({ key }) => key === one.key) ?? one) : one,
  );
}

function noted(one: Heard | Silent, { list, onFound }: Round): Heard | Silent {
  if ('answer' in one && itemsOf(one, list).length > 0) onFound?.();
  return one;
}

async function askOwn(
  { letIn: { tool, input }, list, call }: Round,
  cursors: Cursors | null,
  waitMs: number,
): Promise<Heard> {
  const isAsked = cursors === null || '' in cursors;
  const asked = { ...input, cursor: cursors?.[''], ...('wait_ms' in input && { wait_ms: waitMs }) };
  const answer = isAsked ? await tool.run(asked, call) : { facts: { [list]: [] } };
  if ('needs' in answer || 'task' in answer) throw new Error(`${tool.name} lists, and gave no list`);
  return { key: '', host: null, answer };
}

async function ask(
  link: MachineLink,
  { letIn: { tool, given, input }, everywhere, call }: Round,
  { cursor, waitMs }: { cursor: string | undefined; waitMs: number },
): Promise<Heard | Silent> {
  const { key, name: host } = link.view;
  const { cursor: _, ...rest } = given;
  const args = { ...rest, ...(cursor && { cursor }), ...('wait_ms' in input && { wait_ms: waitMs }) };
  const asked = { tool: tool.name, args, isRead: true, timeoutMs: everywhere.timeoutMs + waitMs };
  try {
    return { key, host, answer: await callMachine(link, asked, call) };
  } catch (error) {
    if (!(error instanceof ToolFault) && !call.signal.aborted) throw error;
    return { key, host, reason: error instanceof ToolFault ? wordsOf(error) : 'it was not waited for' };
  }
}

function wordsOf({ code, message, details }: ToolFault): string {
  const words = details?.host_says;
  return `${code}: ${message}${typeof words === 'string' ? `\n${words}` : ''}`;
}

/** Where each machine continues; one that did not answer continues from its earlier cursor. */
function nextOf(one: Heard | Silent, before: Cursors | null): [string, string][] {
  const next = 'answer' in one ? one.answer.facts.resume_cursor : (before?.[one.key] ?? FROM_START);
  return typeof next === 'string' ? [[one.key, next]] : [];
}

function joined(all: readonly (Heard | Silent)[], { list, everywhere }: Round, before: Cursors | null): ToolAnswer {
  const heard = all.filter((one): one is Heard => 'answer' in one);
  const silent = all.filter((one): one is Silent => 'reason' in one);
  const { rank = () => 0, about } = everywhere;
  const items = heard.flatMap((one) => itemsOf(one, list)).toSorted((a, b) => rank(a.facts) - rank(b.facts));
  const [own] = heard;
  const hosts = about && heard.flatMap(({ host, answer }) => (host === null ? [] : [{ host, ...about(answer.facts) }]));
  return {
    ...own?.answer,
    facts: {
      ...own?.answer.facts,
      [list]: items.map(({ facts }) => facts),
      ...Object.fromEntries(FLAGS.flatMap((name) => flagOf(heard, name))),
      ...Object.fromEntries(COUNTS.flatMap((name) => countOf(heard, name))),
      ...Object.fromEntries(CURSORS.flatMap((name) => cursorOf(all, name, before))),
      ...(hosts && hosts.length > 0 && { hosts }),
      ...(silent.length > 0 && { hosts_silent: silent.map(({ host }) => ({ host })) }),
    },
    told: {
      ...own?.answer.told,
      [list]: items.map(({ told }) => told),
      ...(silent.length > 0 && { hosts_silent: silent.map(({ reason }) => ({ reason })) }),
    },
    redactions: heard.reduce((sum, { answer }) => sum + (answer.redactions ?? 0), 0),
  };
}

/** The items of the list with their texts; items of another machine get its host's name. */
function itemsOf({ host, answer: { facts, told } }: Heard, list: string): { facts: Item; told: Item }[] {
  const items = Array.isArray(facts[list]) ? facts[list] : [];
  const texts: unknown[] = Array.isArray(told?.[list]) ? told[list] : [];
  return items.filter(isRecord).map((item, at) => {
    const text = texts[at];
    return { facts: { ...item, ...(host !== null && { host }) }, told: isRecord(text) ? text : {} };
  });
}

function flagOf(heard: readonly Heard[], name: string): [string, boolean][] {
  const given = heard.flatMap(({ answer: { facts } }) => (typeof facts[name] === 'boolean' ? [facts[name]] : []));
  return given.length === 0 ? [] : [[name, given.includes(true)]];
}

function countOf(heard: readonly Heard[], name: string): [string, number][] {
  const given = heard.flatMap(({ answer: { facts } }) => (typeof facts[name] === 'number' ? [facts[name]] : []));
  return given.length === 0 ? [] : [[name, given.reduce((sum, one) => sum + one, 0)]];
}

/** A machine that did not answer continues from its earlier cursor; one with nothing older continues with its new items. */
function cursorOf(
  all: readonly (Heard | Silent)[],
  name: (typeof CURSORS)[number],
  before: Cursors | null,
): [string, string][] {
  const has = (one: Heard | Silent): boolean => 'answer' in one && typeof one.answer.facts[name] === 'string';
  if (!all.some(has)) return [];
  const next = all.flatMap((one): [string, string][] =>
    'answer' in one && has(one) ? [[one.key, String(one.answer.facts[name])]] : nextOf(one, before),
  );
  const cursor = joinCursors(Object.fromEntries(next));
  return cursor === null ? [] : [[name, cursor]];
}
