import { expect, test } from 'vitest';
import type { MachineLink } from '../../../src-main/machines/MachineLink.ts';
import type { RemoteListener } from '../../../src-main/machines/RemoteApi.ts';
import { askEverywhere } from '../../../src-main/mcp/machines/askEverywhere.ts';
import type { OtherMachines, Tool, ToolAnswer, ToolCall } from '../../../src-main/mcp/protocol/Tool.ts';
import { blocksSearch } from '../../../src-main/mcp/tools/blocks/blocksSearch.ts';
import { blocksSince } from '../../../src-main/mcp/tools/blocks/blocksSince.ts';
import { caller } from '../exec/clients.ts';

type Facts = Record<string, unknown>;

/** A machine `box` that answers with `facts`, or is not connected if they are null. */
function box(facts: Facts | null, asked: Facts[]): Pick<OtherMachines, 'connected' | 'absent'> {
  const view = { key: 'abc123', name: 'box', state: facts ? 'connected' : 'lost', info: { version: '0.0.1' } };
  const subscribe = (_path: string, input: { args: Facts }, { onData }: RemoteListener) => {
    asked.push(input.args);
    const answer = { facts, told: {}, text: {}, effective: {}, redactions: 0, images: [] };
    onData({ type: 'answer', answer });
    return { unsubscribe: () => undefined };
  };
  const api = { subscribe, lost: new Promise<never>(() => undefined) };
  const link = { view, api } as unknown as MachineLink;
  return (facts ? { connected: [link], absent: [] } : { connected: [], absent: [view] }) as never;
}

/** The answer of a tool when this machine has `own` and the other one has `there`. */
async function answered(
  { everywhere, name }: Tool<never>,
  input: Facts,
  { own, there }: { own: Facts; there: Facts | null },
): Promise<{ facts: Facts; asked: Facts[] }> {
  const asked: Facts[] = [];
  const machines = { ...box(there, asked), hostName: 'here', find: () => undefined } as OtherMachines;
  const tool = { name, everywhere, run: () => Promise.resolve({ facts: own }) } as unknown as Tool;
  const call = {
    ...{ caller: caller('looker'), desk: { epoch: 'e1' }, machines, signal: new AbortController().signal },
  } as unknown as ToolCall;
  const { facts } = (await askEverywhere({ tool, given: input, input }, machines, call)) as ToolAnswer;
  return { facts, asked };
}

const QUIET = { blocks: [], resume_cursor: 'e1-5', has_more: false, reset: false };
const FAR = { blocks: [{ block_id: 't1.b1' }], resume_cursor: 'f2-7', has_more: false, reset: false };
const SILENT = [{ host: 'box' }];

test('a machine that is silent stays named while the others are waited for, and is asked from its start later', async () => {
  const waited = await answered(blocksSince as never, { wait_ms: 1 }, { own: QUIET, there: null });
  expect(waited.facts.hosts_silent).toEqual(SILENT);
  const cursor = waited.facts.resume_cursor;
  expect((await answered(blocksSince as never, { cursor }, { own: QUIET, there: null })).facts.hosts_silent).toEqual(
    SILENT,
  );
  const later = await answered(blocksSince as never, { cursor }, { own: QUIET, there: FAR });
  expect(later.facts.blocks).toMatchObject([{ host: 'box' }]);
  expect(later.asked).toEqual([{}]);
});

test('what was run on a machine that was connected after the cursor was made is no less new', async () => {
  const { facts, asked } = await answered(blocksSince as never, { cursor: 'e1-5' }, { own: QUIET, there: FAR });
  expect(facts.blocks).toMatchObject([{ host: 'box' }]);
  const next = await answered(
    blocksSince as never,
    { cursor: facts.resume_cursor },
    { own: QUIET, there: { ...FAR, blocks: [] } },
  );
  expect([...asked, ...next.asked]).toEqual([{}, { cursor: 'f2-7' }]);
});

test('a search is not made again on a machine that has nothing more, and its cost is that of all', async () => {
  const own = { matches: [], truncated: true, resume_cursor: 'k5', scanned_blocks: 2, scanned_bytes: 100 };
  const there = { matches: [], truncated: false, scanned_blocks: 3, scanned_bytes: 1_000 };
  const first = await answered(blocksSearch as never, { query: 'x' }, { own, there });
  expect(first.facts).toMatchObject({ truncated: true, scanned_blocks: 5, scanned_bytes: 1_100 });
  const second = await answered(
    blocksSearch as never,
    { query: 'x', cursor: first.facts.resume_cursor },
    { own, there },
  );
  expect(second.asked).toEqual([]);
});

test.each(['all:', 'all:{}', 'all:{"":"e1-5"'])(
  'a cursor that cannot be read (%s) is refused, as one of this machine is',
  async (cursor) => {
    await expect(answered(blocksSince as never, { cursor }, { own: QUIET, there: FAR })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  },
);
