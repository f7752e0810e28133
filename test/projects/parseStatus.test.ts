import { expect, test } from 'vitest';
import { parseStatus } from '../../src-main/projects/parseStatus.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';
const changed = (path: string) => `1 .M N... 100644 100644 100644 ${HASH} ${HASH} ${path}`;
const lines = (...entries: string[]) => entries.map((entry) => `${entry}\0`).join('');
const nothing = { branch: null, ahead: null, behind: null, dirty: 0 };

test.each([
  [
    'a clean branch without an upstream',
    lines(`# branch.oid ${HASH}`, '# branch.head main'),
    { ...nothing, branch: 'main' },
  ],
  [
    'ahead and behind',
    lines('# branch.head a/b', '# branch.ab +2 -31'),
    { ...nothing, branch: 'a/b', ahead: 2, behind: 31 },
  ],
  ['a detached HEAD', lines(`# branch.oid ${HASH}`, '# branch.head (detached)'), { ...nothing, branch: '0123456' }],
  ['no commit yet', lines('# branch.oid (initial)', '# branch.head main'), { ...nothing, branch: 'main' }],
  [
    'changed, untracked and unmerged files',
    lines(changed('a'), '? new\nfile', `u UU N... 1 2 3 4 ${HASH} b`),
    { ...nothing, dirty: 3 },
  ],
  [
    'a rename is one file, whatever its former name',
    lines(`2 R. N... 1 2 3 ${HASH} ${HASH} R100 new`, '? old', changed('b')),
    { ...nothing, dirty: 2 },
  ],
  ['a file named like a header', lines(changed('# branch.head other')), { ...nothing, dirty: 1 }],
  ['nothing at all', '', nothing],
])('%s', (_, text, expected) => {
  expect(parseStatus(text)).toEqual(expected);
});
