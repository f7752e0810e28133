import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Notice } from '../../../src-main/contract/notice.ts';
import { readProgram } from '../../../src-main/hosts/update/readProgram.ts';
import { UPDATED, UpdateWatch } from '../../../src-main/hosts/update/UpdateWatch.ts';
import { Notices } from '../../../src-main/notices/Notices.ts';
import { PART_MISSING } from '../../../src-main/util/missingPart.ts';
import { FakeClock } from '../../support/FakeClock.ts';

/** Time after which a change is certainly noticed. */
const NOTICED_MS = 30_000;

let root: string;
let clock: FakeClock;
let notices: Notices;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hansard-program-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  clock = new FakeClock();
  notices = new Notices();
  install('first', '1.0.0');
});

function install(content: string, version: string): void {
  mkdirSync(join(root, 'out/main'), { recursive: true });
  mkdirSync(join(root, 'out/renderer'), { recursive: true });
  writeFileSync(join(root, 'out/main/cli.js'), `import './chunks/${content}.js';`);
  writeFileSync(join(root, 'out/main/ptyHost.js'), content);
  writeFileSync(join(root, 'out/renderer/index.html'), `<script src="${content}.js"></script>`);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version }));
}

function watched(mayRestart = true): void {
  const program = readProgram(root);
  if (!program) throw new Error('the program is complete');
  const spec = { root, version: '1.0.0', program, notices, clock, log: () => undefined, mayRestart: () => mayRestart };
  const watch = new UpdateWatch(spec);
  onTestFinished(() => watch.dispose());
}

const raised = (): Pick<Notice, 'key' | 'text' | 'offers'>[] =>
  notices.current.map(({ key, text, offers }) => ({ key, text, ...(offers && { offers }) }));

describe('an installation that is watched', () => {
  test('says nothing while it is as it was', () => {
    watched();
    clock.advance(10 * NOTICED_MS);
    expect(raised()).toEqual([]);
  });

  test('names the version that was installed, and offers a restart', () => {
    watched();
    install('second', '1.1.0');
    clock.advance(NOTICED_MS);
    expect(raised()).toEqual([
      { key: 'updated', text: 'Hansard 1.1.0 was installed while this one runs.', offers: 'restart' },
    ]);
  });

  test('offers no restart where shells would end', () => {
    watched(false);
    install('second', '1.1.0');
    clock.advance(NOTICED_MS);
    expect(raised()).toEqual([{ key: 'updated', text: 'Hansard 1.1.0 was installed while this one runs.' }]);
  });

  test('names another build of the same version as one', () => {
    watched();
    install('second', '1.0.0');
    clock.advance(NOTICED_MS);
    expect(raised().map(({ text }) => text)).toEqual(['Another build of Hansard was installed while this one runs.']);
  });

  test('takes files that were written again with the same content for the same program', () => {
    watched();
    install('first', '1.0.0');
    clock.advance(NOTICED_MS);
    expect(raised()).toEqual([]);
  });

  test('takes the notice back when the earlier program is installed again', () => {
    watched();
    install('second', '1.1.0');
    clock.advance(NOTICED_MS);
    install('first', '1.0.0');
    clock.advance(NOTICED_MS);
    expect(raised()).toEqual([]);
  });

  test('takes back the notice of a missing part when the folder is where it was', () => {
    watched();
    renameSync(join(root, 'out'), join(root, 'away'));
    notices.raise({ key: UPDATED, level: 'error', ...PART_MISSING, terminalId: null, atMs: 0 });
    clock.advance(NOTICED_MS);
    expect(raised()).toHaveLength(1);
    renameSync(join(root, 'away'), join(root, 'out'));
    clock.advance(NOTICED_MS);
    expect(raised()).toEqual([]);
  });

  test('keeps the notice of a part that is missing in an installation that did not change', () => {
    watched();
    notices.raise({ key: UPDATED, level: 'error', ...PART_MISSING, terminalId: null, atMs: 0 });
    clock.advance(10 * NOTICED_MS);
    expect(raised()).toHaveLength(1);
  });

  test('waits for a copy that is being made', () => {
    watched();
    rmSync(join(root, 'out'), { recursive: true });
    clock.advance(NOTICED_MS);
    expect(raised()).toEqual([]);
    for (let n = 0; n < 10; n += 1) {
      install(`copying ${'more '.repeat(n)}`, '1.1.0');
      clock.advance(9_000);
      expect(raised()).toEqual([]);
    }
    clock.advance(NOTICED_MS);
    expect(raised()).toHaveLength(1);
  });
});
