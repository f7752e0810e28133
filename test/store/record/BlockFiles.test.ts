import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { restedPath } from '../../../src-main/store/files/openRecordFile.ts';
import { BlockFiles } from '../../../src-main/store/record/BlockFiles.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { FakeClock } from '../FakeClock.ts';
import { suiteFolder } from '../suiteFolder.ts';

const ID = 'b1-abcdef';
const folder = new SessionFolder(suiteFolder('block-files'), 't1');
const options = { clock: new FakeClock(), log: () => undefined, onFault: () => undefined };

describe('the files of a block that are written anew', () => {
  beforeEach(async () => {
    rmSync(folder.blocksDir, { recursive: true, force: true });
    mkdirSync(folder.blocksDir, { recursive: true });
    const old = BlockFiles.open(folder, ID, options);
    old.appendText(Buffer.from('old\n'));
    old.appendIndex([{ line: 0, out: 0, src: 0, sgr: '' }]);
    await old.close();
    writeFileSync(restedPath(folder.ren(ID)), 'compressed');
  });

  const text = () => readFileSync(folder.out(ID), 'utf8');

  test('leave readers the old text until they are whole', async () => {
    const files = BlockFiles.beside(folder, ID, { ...options, source: 'ren' });
    for (const line of ['a', 'b', 'c']) {
      files.appendText(Buffer.from(`${line}\n`));
      files.appendRendered(Buffer.from(`${line}\n`));
      await new Promise((resolve) => setImmediate(resolve));
      expect(text()).toBe('old\n');
    }
    await files.replace();
    expect(text()).toBe('a\nb\nc\n');
    expect(readFileSync(folder.ren(ID), 'utf8')).toBe('a\nb\nc\n');
    expect(readFileSync(folder.idx(ID), 'utf8')).toContain('"ren"');
    expect(existsSync(restedPath(folder.ren(ID)))).toBe(false);
    expect(readdirSync(folder.blocksDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('take those away that the block no longer has', async () => {
    const files = BlockFiles.beside(folder, ID, options);
    await files.replace();
    expect(readdirSync(folder.blocksDir)).toEqual([]);
  });

  test('leave the old ones where they are given up', async () => {
    const files = BlockFiles.beside(folder, ID, options);
    files.appendText(Buffer.from('half of'));
    await files.discard();
    expect(text()).toBe('old\n');
    expect(readdirSync(folder.blocksDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
