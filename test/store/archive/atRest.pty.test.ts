import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { restTerminal } from '../../../src-main/store/archive/restTerminal.ts';
import { restedPath } from '../../../src-main/store/files/openRecordFile.ts';
import { streamRaw } from '../../../src-main/store/record/readRecord.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { runCommand, TestCore } from '../../support/TestCore.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

test('a terminal that was compressed comes back into a tab with all its output, and its record goes on behind it', async () => {
  const own = await TestCore.start();
  try {
    const { id } = await own.open();
    const block = await runCommand(own.core.terminal(id), 'seq 60000');
    const folder = new SessionFolder(own.dataFolder, id);
    await own.core.close(id, true);
    const raw = readFileSync(folder.raw);
    const text = readFileSync(folder.out(block.id), 'utf8');
    expect(await restTerminal(folder, {})).toMatchObject({ failed: [], bytesBefore: expect.any(Number) });
    expect([folder.raw, folder.out(block.id)].map((path) => [existsSync(path), existsSync(restedPath(path))])).toEqual([
      [false, true],
      [false, true],
    ]);
    expect(sha256(await gather(streamRaw(folder, 0)))).toBe(sha256(raw));

    await own.core.openRecorded(id);
    const { book } = own.core.terminal(id);
    expect([existsSync(folder.raw), existsSync(restedPath(folder.raw))]).toEqual([true, false]);
    const { lines, total } = await book.reader.lines(block.id, 59_998, 10);
    expect([lines.map(({ spans }) => spans[0]?.text), total]).toEqual([['59999', '60000'], 60_000]);
    expect((await book.reader.text(block.id, 'output')).text).toBe(text);
    const found = await book.search.find({ query: '59999', regex: false, limit: 5 });
    expect(found.hits).toEqual([expect.objectContaining({ blockId: block.id, n: 59_998 })]);
    expect(existsSync(folder.out(block.id))).toBe(false); // the text of an ended block stays compressed
    expect(readFileSync(await book.reader.outputFile(block.id), 'utf8')).toBe(text); // an editor needs the plain file

    const later = await runCommand(own.core.terminal(id), 'echo later');
    expect(later.seq).toBeGreaterThan(block.seq);
    await own.core.close(id, true);
    const grown = readFileSync(folder.raw);
    expect([grown.length > raw.length, sha256(grown.subarray(0, raw.length))]).toEqual([true, sha256(raw)]);
    expect(grown.subarray(later.rawStart, later.rawEnd ?? 0).toString()).toContain('later');
  } finally {
    await own.dispose();
  }
});
