import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionFolder } from '../../../../src-main/store/record/SessionFolder.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { call, refusal } from '../../mcpClient.ts';
import { runIn } from '../../runIn.ts';
import { ServedMcp } from '../../ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Awaited<ReturnType<ServedMcp['start']>>['mcp'];
let id: string;

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 80, rows: 24 }));
  const limits = { reads_per_min: 1e6, bytes_per_min: 2 ** 30 };
  const policy = { version: 1, clients: { '*': { scopes: ['raw'] } }, limits };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}, 60_000);
afterAll(() => served.dispose());

/** Runs a command; returns its block's id and its output as raw bytes. */
async function blockOf(cmd: string): Promise<{ block_id: string; raw: Buffer }> {
  const { id: blockId } = await runIn(link.api, id, cmd);
  const block_id = `${id}.${blockId}`;
  const { raw_range } = await call(mcp.client, 'blocks_get', { block_id, full: true });
  const all = readFileSync(new SessionFolder(served.app.home, id).raw);
  return { block_id, raw: all.subarray(raw_range.from, raw_range.to) };
}

/** The text within a frame. */
function inFrame(text: string): string {
  return text.split('\n').slice(1, -1).join('\n');
}

const read = (args: Record<string, unknown>) => call(mcp.client, 'blocks_read', args);

describe('raw bytes', () => {
  let block_id: string;
  let raw: Buffer;
  let lines: Buffer[];

  beforeAll(async () => {
    const odd = "printf 'caf\\303\\251\\r\\n\\377\\376 --\\n\\n3: no line number\\n'; seq 40";
    const long = "head -c 3000 /dev/zero | tr '\\0' 'x'; printf '\\nends without a line feed'";
    ({ block_id, raw } = await blockOf(`${odd}; ${long}`));
    lines =
      raw
        .toString('latin1')
        .match(/[^\n]*\n|[^\n]+$/g)
        ?.map((line) => Buffer.from(line, 'latin1')) ?? [];
  });

  const bytesOf = ({ data_b64 }: { data_b64?: string }): Buffer => Buffer.from(data_b64 ?? '', 'base64');
  const between = (from: number, to: number): Buffer => Buffer.concat(lines.slice(from, to + 1));

  test('of any slice are those of the record, page by page', async () => {
    const line = fc.integer({ min: 0, max: lines.length - 1 });
    const slice = fc.tuple(line, line, fc.constantFrom(200, 300, 2000, 100_000));
    await fc.assert(
      fc.asyncProperty(slice, async ([one, other, max_chars]) => {
        const [from_line, to_line] = [Math.min(one, other), Math.max(one, other)];
        const pieces: Buffer[] = [];
        let place: Record<string, unknown> = { from_line };
        for (;;) {
          const page = await read({ block_id, view: 'raw_b64', to_line, max_chars, ...place });
          expect(page.data_b64.length).toBeLessThanOrEqual(max_chars + 4);
          pieces.push(bytesOf(page));
          if (page.resume_line === undefined) break;
          place = { from_line: page.resume_line, from_col: page.resume_col ?? 0 };
        }
        expect(Buffer.concat(pieces).equals(between(from_line, to_line))).toBe(true);
      }),
      fuzzRuns(60),
    );
  });

  test.each([
    ['a head', { head: 4 }, [[0, 3]]],
    ['a tail', { tail: 2 }, [[-2, -1]]],
    [
      'several ranges',
      {
        ranges: [
          { from_line: 0, to_line: 1 },
          { from_line: 9, to_line: 9 },
        ],
      },
      [
        [0, 1],
        [9, 9],
      ],
    ],
    [
      'matches',
      { grep: '^(?:3|12)\\r?$', context: 0 },
      [
        [6, 6],
        [15, 15],
      ],
    ],
  ])('of %s stand by themselves', async (_, args, spans) => {
    const told = await read({ block_id, view: 'raw_b64', ...args });
    const wanted = spans.map(([from = 0, to = 0]) => [from, to].map((n) => (n < 0 ? lines.length + n : n)));
    expect(told.parts.map((part: Record<string, number>) => [part.from_line, part.to_line])).toEqual(wanted);
    const data = told.parts.length === 1 ? [told] : told.parts;
    for (const [at, [from = 0, to = 0]] of wanted.entries())
      expect(bytesOf(data[at]).toString('latin1')).toBe(between(from, to).toString('latin1'));
  });
});

describe('a long line', () => {
  /** Prints a line of 200,000 characters with surrogate pairs, which a page must not split, and a last line. */
  const printed = "head -c 200000 /dev/zero | tr '\\0' '-' | sed 's/-/0123456789😀/100; s/-/ab/g'; printf '\\nlast\\n'";

  test.each(['rendered', 'plain'])('comes page by page, and nothing of it is lost (%s)', async (view) => {
    const { block_id, raw } = await blockOf(printed);
    const [long = ''] = raw.toString().split('\r\n');
    let text = '';
    let place: Record<string, unknown> = { from_line: 0 };
    for (;;) {
      const page = await read({ block_id, view, to_line: 0, max_chars: 100_000, ...place });
      text += inFrame(page.text);
      if (page.resume_line === undefined) break;
      expect(page.omitted.bytes).toBeGreaterThan(100_000);
      expect(page.parts).toMatchObject([{ to_col: page.resume_col }]);
      place = { from_line: page.resume_line, from_col: page.resume_col };
    }
    expect(text === long).toBe(true);
  });

  test('of megabytes has its number, and its end can be read', async () => {
    const { block_id } = await blockOf("head -c 3000000 /dev/zero | tr '\\0' 'y'; printf 'END\\nnext\\n'");
    expect(await read({ block_id, from_line: 1 })).toMatchObject({ text: expect.stringContaining('\nnext\n') });
    const end = await read({ block_id, from_line: 0, to_line: 0, from_col: 2_999_990 });
    expect(inFrame(end.text)).toBe(`${'y'.repeat(10)}END`);
    const tail = await read({ block_id, tail: 2, max_chars: 200 });
    expect(tail).toMatchObject({ total_lines: 2, parts: [{ from_line: 1, to_line: 1 }], omitted: { lines: 1 } });
    expect(tail.omitted.bytes).toBe(3_000_004);
  });

  test('that is the last of its tail is told from which column it is shown', async () => {
    const { block_id } = await blockOf("printf 'start'; head -c 5000 /dev/zero | tr '\\0' 'z'; printf 'END\\n'");
    const { parts, text, omitted } = await read({ block_id, tail: 1, max_chars: 200 });
    expect(parts).toEqual([{ from_line: 0, to_line: 0, from_col: 5008 - 200 }]);
    expect(inFrame(text)).toBe(`${'z'.repeat(197)}END`);
    expect(omitted).toEqual({ lines: 0, bytes: 5008 - 200 });
  });

  test('is the only thing that a column is of', async () => {
    const { block_id } = await blockOf('seq 3');
    expect(await refusal(mcp.client, 'blocks_read', { block_id, from_col: 3 })).toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('parts', () => {
  test('of one stretch have their text in a frame, of several each has its own', async () => {
    const { block_id } = await blockOf('seq 100');
    const one = await read({ block_id, from_line: 3, to_line: 5 });
    expect(one.parts).toEqual([{ from_line: 3, to_line: 5 }]);
    expect(inFrame(one.text)).toBe('4\n5\n6');
    expect(one.omitted).toEqual({ lines: 97, bytes: 292 - 6 });
    const several = await read({ block_id, grep: '^(?:20|50)$', context: 1 });
    expect(several.matches).toBe(2);
    expect(several.text).toBeUndefined();
    expect(several.parts).toEqual([
      { from_line: 18, to_line: 20, text: '19\n20\n21' },
      { from_line: 48, to_line: 50, text: '49\n50\n51' },
    ]);
    expect((await read({ block_id, head: 100 })).omitted).toEqual({ lines: 0, bytes: 0 });
  });

  test.each([
    [{ to_line: 3 }, [[0, 3]]],
    [{ from_line: 97 }, [[97, 99]]],
    [{ tail: 2 }, [[98, 99]]],
    [{ head: 2 }, [[0, 1]]],
    [{ range: { from_line: 1, to_line: 2 } }, [[1, 2]]],
    [
      { to_line: 3, tail: 2, range: { from_line: 1, to_line: 6 } },
      [
        [0, 6],
        [98, 99],
      ],
    ],
    [{}, [[0, 99]]],
  ])('of a search stand in the slice that is asked for: %j', async (slice, wanted) => {
    const { block_id } = await blockOf('seq 100');
    const { parts, matches } = await read({ block_id, grep: '\\d', context: 5, ...slice });
    expect(parts.map((part: Record<string, number>) => [part.from_line, part.to_line])).toEqual(wanted);
    expect(matches).toBe(wanted.reduce((sum, [from = 0, to = 0]) => sum + to - from + 1, 0));
  });
});

describe('a search of three million lines', () => {
  let block_id: string;
  beforeAll(async () => {
    ({ block_id } = await blockOf('seq 1000000000 1003000000'));
  });

  test('finds what stands at their end', async () => {
    const { parts, matches } = await read({ block_id, grep: '1003000000|no such', context: 0 });
    expect([matches, parts]).toEqual([1, [{ from_line: 3_000_000, to_line: 3_000_000 }]]);
  });

  test.each(['blocks_read', 'blocks_search'])('%s keeps what it found and goes on where it stopped', async (tool) => {
    const pattern = '^(\\d+)*(?:000|[x])$'; // backtracks over every digit of every line, but no single line takes long
    const found: number[] = [];
    let place: Record<string, unknown> = {};
    for (let page = 0; page < 3; page += 1) {
      const args =
        tool === 'blocks_read' ? { grep: pattern, context: 0 } : { query: pattern, regex: true, context: 0, limit: 5 };
      const told = await call(mcp.client, tool, {
        block_id,
        ...(tool === 'blocks_read' && { max_chars: 200 }),
        ...args,
        ...place,
      });
      const lines =
        tool === 'blocks_read'
          ? told.parts.map(({ from_line }: { from_line: number }) => from_line)
          : told.matches.map(({ line }: { line: number }) => line);
      expect(lines.length).toBeGreaterThan(0);
      found.push(...lines);
      const next = told.resume_line ?? Number(told.resume_cursor.slice(1));
      expect(told.not_searched).toEqual([{ from_line: next, to_line: 3_000_000 }]);
      place = tool === 'blocks_read' ? { from_line: next } : { cursor: told.resume_cursor };
    }
    expect(found).toEqual(found.map((_, at) => at * 1000));
  });

  test.each(['blocks_read', 'blocks_search'])(
    '%s blames an expression where one line alone takes too long',
    async (tool) => {
      const { block_id: own } = await blockOf(`seq 5; echo ${'7'.repeat(60)}; seq 5`);
      const pattern = '^(\\d+)*[x]$';
      const args = tool === 'blocks_read' ? { grep: pattern } : { query: pattern, regex: true, scope: 'output' };
      const fault = await refusal(mcp.client, tool, { block_id: own, ...args });
      expect(fault).toMatchObject({ code: 'REGEX_TIMEOUT', message: expect.stringMatching(/line 5 of 11/) });
      expect(fault.suggestion).toMatch(/from_line: 6|simpler/);
      expect(await read({ block_id: own, grep: '^(\\d+)*[x1]$', from_line: 6, context: 0 })).toMatchObject({
        matches: 1,
      });
    },
  );

  test.each(['blocks_read', 'blocks_search'])('%s works no more for a client that has cancelled', async (tool) => {
    const pattern = '^(\\d+)*[x]$';
    const args = tool === 'blocks_read' ? { block_id, grep: pattern } : { block_id, query: pattern, regex: true };
    const stop = new AbortController();
    const going = mcp.client.callTool({ name: tool, arguments: args }, { signal: stop.signal });
    await call(mcp.client, 'pty_list');
    stop.abort();
    await expect(going).rejects.toThrow();
    // if the search continued, it would use the core's CPU
    await expect.poll(() => workedMs(), { timeout: 8_000, interval: 0 }).toBeLessThan(200);
  });
});

/** CPU time of the core within half a second, in ms. */
async function workedMs(): Promise<number> {
  const used = (): number => {
    const fields = readFileSync(`/proc/${served.app.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  const before = used();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return used() - before;
}
