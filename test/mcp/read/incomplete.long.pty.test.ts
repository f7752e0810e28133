import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CastPiece } from '../../../src-main/contract/api.ts';
import { appOnSmallDisk } from '../../support/appOnSmallDisk.ts';
import { soon } from '../../support/soon.ts';
import { ServedApp } from '../../support/WebApp.ts';
import { readersOf } from '../readersOf.ts';

const LACKS = /output\.raw lacks \d+ bytes of output, which could not be recorded/;
const LOST = /\[\d+ bytes of output were not recorded\]/;

test.for(['on', 'off'])(
  'with the PTY host %s, readers name the bytes that a full disk has cost',
  async (host, { skip }) => {
    const { app, disk } = appOnSmallDisk(host);
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    const { api, id, begin, blockOf, mcp, cli } = await readersOf(app);
    const cmd = 'read a; seq 300000; echo needle';
    const blockId = await begin(cmd);
    disk.fill();
    await api.terminal.write.mutate({ id, data: 'x\r' }); // more than what is kept for a full disk
    await soon(async () => (await blockOf(cmd))?.status).toBe('completed');
    disk.free();
    const ref = `${id}.${blockId}`;
    await soon(() => mcp('blocks_read', { block_id: ref })).toContain('needle');
    const all = { block_id: ref, grep: 'not recorded' };
    expect(await mcp('blocks_read', all)).toMatch(LOST);
    await soon(() => mcp('blocks_read', { ...all, view: 'plain' })).toMatch(LOST);
    expect(await cli('block', blockId)).toMatchObject({ code: 0, stdout: expect.stringMatching(LOST) });
    expect(await cli('block', '--raw', blockId)).toMatchObject({
      code: 65,
      stderr: expect.stringContaining('were not recorded: zero bytes replace them'),
    });
    const { text } = await api.block.text.query({ terminalId: id, blockId, what: 'markdown' });
    expect(text).toMatch(LOST);
    const [hit] = (await api.block.find.query({ terminalId: id, query: 'not recorded', regex: false, limit: 9 })).hits;
    const { lines } = await api.block.lines.query({ terminalId: id, blockId, from: hit?.n ?? 0, count: 1 });
    expect(lines[0]?.spans[0]?.text).toMatch(LOST);

    const query = 'nowhere';
    for (const within of [{}, { regex: true }, { block_id: ref }])
      expect(await mcp('blocks_search', { query, ...within })).toMatch(
        new RegExp(`"matches":\\[\\],"truncated":true.*"unreadable":\\[.*${LACKS.source}`),
      );
    expect(await mcp('blocks_read', { block_id: ref, tail: 1 })).toMatch(LACKS);
    for (const args of [
      ['search', query],
      ['search', '--exact', query],
      ['export', blockId],
      ['export', id],
    ])
      expect(await cli(...args)).toMatchObject({ code: 65, stderr: expect.stringMatching(LACKS) });
    for (const blockIds of [{}, { blockId }]) {
      const found = await api.block.find.query({ terminalId: id, query, regex: false, limit: 9, ...blockIds });
      expect(found.error).toMatch(LACKS);
    }
    const last = await new Promise<CastPiece>((resolve, reject) => {
      api.recording.cast.subscribe(
        { id, blockId },
        { onData: (piece) => piece.type === 'end' && resolve(piece), onError: reject },
      );
    });
    expect(last).toEqual({ type: 'end', lost: expect.stringMatching(/^lacks \d+ bytes/) });
  },
);

test('readers refuse a text or bytes that another program has cut', async () => {
  const app = new ServedApp();
  onTestFinished(() => app.stop());
  const { api, id, ended, mcp, cli } = await readersOf(app);
  const blocksDir = join(app.home, 'terminals', id, 'blocks');
  const whole = await ended('seq 1 500');
  const empty = await ended('seq 2 501');
  const half = await ended('seq 3 502');
  const folder = await ended('seq 4 503');
  const link = await ended('seq 5 504');
  const out = (blockId: string) => join(blocksDir, `${blockId}.out`);
  truncateSync(out(empty), 0);
  truncateSync(out(half), 900);
  rmSync(out(folder));
  mkdirSync(out(folder));
  const secret = join(app.home, 'secret');
  writeFileSync(secret, 'needle\n');
  rmSync(out(link));
  symlinkSync(secret, out(link));

  expect(await cli('block', half)).toMatchObject({
    code: 65,
    stderr: expect.stringMatching(/ends after line \d+ of 500/),
  });
  expect(await mcp('blocks_read', { block_id: `${id}.${half}` })).toContain('UNREADABLE');
  expect(await mcp('blocks_get', { block_id: `${id}.${half}` })).toContain('output_unreadable');
  expect(await mcp('blocks_search', { query: 'nee+dle', regex: true })).toMatch(/"matches":\[\].*"unreadable":/);
  const found = await api.block.find.query({ terminalId: id, query: '499', regex: false, limit: 99 });
  expect(found.hits.map(({ blockId }) => blockId)).toContain(whole);
  expect(found.error).toMatch(/an output was not searched: .*\.out/);
  expect(await mcp('blocks_read', { block_id: `${id}.${empty}` })).toContain('501'); // written again from the bytes
  expect(await cli('block', empty)).toMatchObject({ code: 0, stdout: expect.stringContaining('501') });

  truncateSync(join(app.home, 'terminals', id, 'output.raw'), 100);
  for (const view of ['plain', 'raw_b64'])
    expect(await mcp('blocks_read', { block_id: `${id}.${whole}`, view }), view).toMatch(
      /UNREADABLE|NOT_ALLOWED_SCOPE/,
    );
  await expect(api.block.lines.query({ terminalId: id, blockId: whole, from: 0, count: 9 })).rejects.toThrow(
    /not on disk/,
  );
  expect(await cli('export', whole)).toMatchObject({ code: 65, stderr: expect.stringContaining('not on disk') });
  expect(await mcp('pty_stream_since', { pty_id: id, cursor: 'o200' })).toContain('UNREADABLE');
  expect(await mcp('blocks_read', { block_id: `${id}.${whole}` })).toContain('500');
});
