import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SavedCommands } from '../../src-main/savedCommands/SavedCommands.ts';

let home: string;
let project: string;
let saved: SavedCommands;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hansard-saved-'));
  project = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-project-')));
  saved = new SavedCommands(home);
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
});

const LIST = { name: 'List', command: 'ls -la {{folder:.}}' };
const names = async () => (await saved.list(null)).commands.map(({ name }) => name);

test('a saved command is in the file exactly as it was given', async () => {
  const command = { name: 'Loop', command: "for f in *; do\n\techo '{{f}}' \\\n  $f\ndone", tags: ['a', 'b'] };
  expect(await saved.save(command, null)).toEqual({ ok: true });
  expect(JSON.parse(readFileSync(saved.path, 'utf8'))).toEqual({ version: 1, commands: [command] });
  expect(await new SavedCommands(home).list(null)).toMatchObject({ commands: [command], problem: null });
});

test('a name that is taken is never overwritten, and an edited command keeps its place', async () => {
  await saved.save(LIST, null);
  await saved.save({ name: 'Other', command: 'pwd' }, null);
  expect(await saved.save({ ...LIST, command: 'x' }, null)).toMatchObject({ ok: false, isTaken: true });
  expect(await saved.save({ ...LIST, name: 'Other' }, 'List')).toMatchObject({ ok: false, isTaken: true });
  expect(await saved.save({ ...LIST, name: 'Files' }, 'List')).toEqual({ ok: true });
  expect(await names()).toEqual(['Files', 'Other']);
  expect(await saved.save(LIST, 'Gone')).toMatchObject({ ok: false, isTaken: false });
});

test('a removed command comes back to its place', async () => {
  for (const name of ['a', 'b', 'c']) await saved.save({ name, command: name }, null);
  const removed = await saved.remove('b');
  expect(await names()).toEqual(['a', 'c']);
  if (!removed) throw new Error('nothing was removed');
  await saved.restore(removed.command, removed.at);
  expect(await names()).toEqual(['a', 'b', 'c']);
  expect(await saved.remove('d')).toBeNull();
});

test('changes at the same time are all kept', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => saved.save({ name: `n${at}`, command: 'x' }, null)));
  expect((await names()).length).toBe(20);
});

test('keys that a newer version wrote stay', async () => {
  writeFileSync(saved.path, JSON.stringify({ version: 1, later: 1, commands: [{ ...LIST, icon: 'x' }] }));
  await saved.save({ name: 'b', command: 'c' }, null);
  expect(JSON.parse(readFileSync(saved.path, 'utf8'))).toMatchObject({ later: 1, commands: [{ icon: 'x' }, {}] });
});

test.each([
  ['text that is no JSON', '{"commands": [', 'commands.json is not valid JSON: '],
  ['a name twice', JSON.stringify({ commands: [LIST, LIST] }), '"List" is there twice'],
  ['a wrong type', JSON.stringify({ commands: [{ name: 'x', command: 7 }] }), 'commands.0.command: '],
])('a list with %s is reported and never written over', async (_, text, reason) => {
  writeFileSync(saved.path, text);
  const { commands, problem } = await saved.list(null);
  expect(commands).toEqual([]);
  expect(problem).toContain(reason);
  await expect(saved.save({ name: 'b', command: 'c' }, null)).rejects.toThrow('Correct ');
  expect(readFileSync(saved.path, 'utf8')).toBe(text);
});

test('an import adds what is new, and replaces only when asked', async () => {
  await saved.save(LIST, null);
  const files = [
    { name: 'a.yaml', text: 'name: List\ncommand: ls\n---\nname: New\ncommand: pwd\n' },
    { name: 'b.yaml', text: '[' },
  ];
  const first = await saved.importFiles(files, { replace: false });
  expect(first).toMatchObject({ added: ['New'], kept: ['List'], replaced: [], refused: [{ file: 'b.yaml' }] });
  expect((await saved.list(null)).commands[0]).toEqual(LIST);
  const second = await saved.importFiles(files, { replace: true });
  expect(second).toMatchObject({ added: [], same: ['New'], replaced: ['List'] });
  expect((await saved.list(null)).commands[0]).toEqual({ name: 'List', command: 'ls' });
});

function writeProject(text: string, folder = project): { path: string; sha256: string } {
  mkdirSync(join(folder, '.hansard'), { recursive: true });
  const path = join(folder, '.hansard', 'commands.json');
  writeFileSync(path, text);
  return { path, sha256: createHash('sha256').update(text).digest('hex') };
}
const PROJECT = JSON.stringify({ commands: [{ name: 'Build', command: 'make {{target:all}}' }] });

test("a project's list is used once its content was trusted, and a changed one asks again", async () => {
  const { path, sha256 } = writeProject(PROJECT);
  const before = (await saved.list(project)).project;
  expect(before).toEqual({ state: 'untrusted', path, sha256, bytes: PROJECT.length, changed: false });
  expect(await saved.trust(path, sha256)).toBe(true);
  expect((await saved.list(project)).project).toMatchObject({ state: 'trusted', commands: [{ name: 'Build' }] });

  const changed = writeProject(PROJECT.replace('make', 'make -j'));
  expect((await saved.list(project)).project).toMatchObject({ state: 'untrusted', changed: true });
  expect(await saved.trust(path, sha256)).toBe(false);
  expect(await saved.trust(path, changed.sha256)).toBe(true);
  // Content that was trusted earlier but replaced since asks again.
  writeProject(PROJECT);
  expect((await saved.list(project)).project).toMatchObject({ state: 'untrusted' });
});

test('the same content in another folder is not trusted', async () => {
  const { path, sha256 } = writeProject(PROJECT);
  await saved.trust(path, sha256);
  const other = join(project, 'other');
  mkdirSync(join(other, '.git'), { recursive: true });
  writeProject(PROJECT, other);
  expect((await saved.list(other)).project).toMatchObject({ state: 'untrusted', changed: false });
});

test('a folder within the work tree has the list of its root, and one beside it has none', async () => {
  mkdirSync(join(project, '.git'));
  const { path } = writeProject(PROJECT);
  const deep = join(project, 'src', 'deep');
  mkdirSync(deep, { recursive: true });
  expect((await saved.list(deep)).project?.path).toBe(path);
  rmSync(join(project, '.git'), { recursive: true });
  expect((await saved.list(deep)).project).toBeNull();
  expect((await saved.list(join(project, 'gone'))).project).toBeNull();
});

test('a link, a folder, a too large file and a damaged one are refused with the reason', async () => {
  const { path, sha256 } = writeProject(PROJECT);
  const reason = async () => {
    const { project: found } = await saved.list(project);
    return found?.state === 'refused' ? found.reason : null;
  };
  rmSync(path);
  writeFileSync(join(project, 'elsewhere.json'), PROJECT);
  symlinkSync(join(project, 'elsewhere.json'), path);
  expect(await reason()).toContain('is a symbolic link');
  expect(await saved.trust(path, sha256)).toBe(false);

  rmSync(path);
  mkdirSync(path);
  expect(await reason()).toContain('is not a regular file');

  rmSync(path, { recursive: true });
  writeFileSync(path, 'x'.repeat(256 * 1024 + 1));
  expect(await reason()).toContain('is larger than 256 KB');

  const bad = writeProject('{"commands": [{}]}');
  await saved.trust(bad.path, bad.sha256);
  expect(await reason()).toContain('commands.0.name');

  rmSync(join(project, '.hansard'), { recursive: true });
  mkdirSync(join(project, 'real'));
  symlinkSync(join(project, 'real'), join(project, '.hansard'));
  expect(await reason()).toContain('.hansard is a symbolic link');
});
