import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runDriver } from './runDriver.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'hansard-links-'));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

interface LinksReport {
  urls: string[];
  ids: number;
  questions: { message: string; detail: string }[];
  windows: number;
  isTaken: boolean;
  lockData: unknown;
  order: string[];
}

test('links of the system are shown in the one window, and a hostile one leads to a message alone', async () => {
  const hostile = [
    'hansard://terminal/t1%00',
    'hansard://terminal/../../etc/passwd',
    'hansard://terminal/t1" --gpu-launcher=sh',
    'https://example.org/#/terminal/t1',
    `hansard://terminal/${'x'.repeat(4000)}`,
  ];
  const report = await runDriver<LinksReport>('driveLinks.ts', {
    HANSARD_HOME: dataFolder,
    FAKE_PACKAGED: '1',
    FAKE_LINK: 'hansard://terminal/t1/card/b1',
    FAKE_LINKS: JSON.stringify(['hansard://terminal/t2', ...hostile]),
  });
  const page = 'app://bundle/index.html?window=ID';
  expect(report.urls).toEqual([page, `${page}#/terminal/t1/card/b1`, `${page}#/terminal/t2`, `${page}#/terminal/t9`]);
  expect(report.questions.map(({ message }) => message)).toEqual(hostile.map(() => 'The link was not opened.'));
  expect(JSON.stringify(report.questions)).not.toContain('xxx');
  expect(report).toMatchObject({ ids: 1, windows: 1, isTaken: true });
  expect(report.lockData).toEqual({ dir: null, link: 'hansard://terminal/t1/card/b1' });
  expect(report.order).toContain('setAsDefaultProtocolClient hansard');
});
