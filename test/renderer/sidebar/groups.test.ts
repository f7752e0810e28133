import { expect, test } from 'vitest';
import type { Project } from '../../../src-main/contract/project.ts';
import { groupTerminals, placeAmongAll } from '../../../src-main/shared/groupTerminals.ts';
import { folderName, projectFacts, projectWords } from '../../../src-renderer/sidebar/projectFacts.ts';

const terminal = (id: string, cwd = '/x') => ({ id, cwd });
const shape = (groups: ReturnType<typeof groupTerminals>) =>
  groups.map(({ root, terminals }) => [root, terminals.map(({ id }) => id).join('')]);

test('terminals stand by project, in the order of their tabs, and by folder until the project is known', () => {
  const list = [terminal('a'), terminal('b'), terminal('c'), terminal('d', '/new')];
  const rootOf = { a: '/p', b: '/q', c: '/p' };
  expect(shape(groupTerminals(list, rootOf, []))).toEqual([
    ['/p', 'ac'],
    ['/q', 'b'],
    ['/new', 'd'],
  ]);
  expect(shape(groupTerminals(list, rootOf, ['/gone', '/q']))).toEqual([
    ['/q', 'b'],
    ['/p', 'ac'],
    ['/new', 'd'],
  ]);
});

test.each([
  [['a', 'b', 'c'], ['a', 'c'], 0, 0],
  [['a', 'b', 'c'], ['a', 'c'], 1, 2],
  [['a', 'b', 'c'], ['a', 'b'], 2, 2],
  [['a'], [], 0, 0],
])('among %j, of which %j are shown, place %i is %i', (all, shown, to, at) => {
  expect(placeAmongAll(all, shown, to)).toBe(at);
});

const project: Project = {
  ...{ root: '/p', isRepository: true, branch: 'main', ahead: 2, behind: 0, dirty: 5, unknown: null },
};

test('facts leave out what is nothing or not known, and say why', () => {
  expect(projectFacts(project)).toBe('main ↑2 ±5');
  expect(projectFacts({ ...project, branch: null, ahead: null, behind: 3, dirty: null })).toBe('↓3');
  expect(projectWords({ ...project, dirty: null, unknown: 'slow' }).at(-1)).toContain('did not answer in time');
});

test.each([
  ['/home/ada', '~'],
  ['/home/ada/src/', 'src'],
  ['C:\\work\\quay', 'quay'],
  ['/', '/'],
])('%s is called %s', (root, name) => {
  expect(folderName(root, '/home/ada')).toBe(name);
});
