import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asWords, droppedPaths } from '../../../src-renderer/composer/fileDrop.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const data = (files: File[], list = '') => ({ files: files as unknown as FileList, getData: () => list });
const file = new File([''], 'x');

describe('paths of dropped files', () => {
  test('any path is one word of a real shell, unchanged', () => {
    const path = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((text) => `/${text.replace(/[\0\ud800-\udfff]/g, '_')}`);
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
        const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${asWords(paths)}`], { env: { LC_ALL: 'C.UTF-8' } });
        expect(printed.toString().split('\0').slice(0, -1)).toEqual(paths);
      }),
      fuzzRuns(60),
    );
  });

  test('come from the desktop app, which leaves out what is on no disk', () => {
    const places = ['/a', '', '/b'];
    const desktop = {
      raise: () => undefined,
      newWindow: () => undefined,
      onMessage: () => undefined,
      tell: () => undefined,
      pathOf: () => places.shift() ?? '',
    };
    expect(droppedPaths(data([file, file, file]), desktop)).toEqual(['/a', '/b']);
  });

  test('come from the list of addresses in a browser, local files alone', () => {
    const list = '# a comment\r\nfile:///tmp/%C3%A0%20b\r\nfile://server/share\r\nhttps://x.invalid/\r\nfile:///c';
    expect(droppedPaths(data([file], list), null)).toEqual(['/tmp/à b', '/c']);
  });
});
