import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { readPng } from '../../support/readPng.ts';
import { readSvg } from '../../support/readSvg.ts';
import { recordTerminal } from '../recordFolder.ts';
import { runCli } from '../runCli.ts';
import { delta, keyframe, writeDeltas } from '../screenFiles.ts';

const home = suiteFolder('cli-picture');
const run = (...args: string[]) => runCli(args, { home });
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const wordsIn = (path: string): string[] =>
  readSvg(readFileSync(path, 'utf8'))
    .filter(({ name }) => name === 'text')
    .map(({ text }) => text);

beforeAll(async () => {
  const told = await recordTerminal(home, 'told', []);
  await writeDeltas(told, [keyframe(10, ['before', `key ${TOKEN}`]), delta(11, [{ row: 0, text: 'after' }])]);
});

describe('hansard screen as a picture', () => {
  test('--png and --svg write files that only their owner can read, and print nothing', async () => {
    const [png, svg] = [join(home, 'shot.png'), join(home, 'shot.svg')];
    const { code, stdout, stderr } = await run('screen', 'told', '--png', png, '--svg', svg);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('the text was recorded and not the colours');
    expect(readPng(readFileSync(png)).at(0, 0)).toBe('#14161a');
    expect(wordsIn(svg)).toEqual(['after', 'key', TOKEN]);
    expect([png, svg].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  test('an earlier moment, in the light, with secrets covered', async () => {
    const svg = join(home, 'then.svg');
    const { code, stderr } = await run('screen', 'told', '--at', '10', '--theme', 'light', '--redact', '--svg', svg);
    expect([code, wordsIn(svg)]).toEqual([0, ['before', 'key']]);
    expect(stderr).toContain('1 secret covered');
    expect(readFileSync(svg, 'utf8')).toContain('fill="#faf8f2"');
  });

  test('- is stdout', async () => {
    const { code, stdout } = await run('screen', 'told', '--svg', '-');
    expect([code, readSvg(stdout)[0]?.name]).toEqual([0, 'svg']);
  });

  test('a difference is none', async () => {
    const { code, stderr } = await run('screen', 'told', '--since', '10', '--png', '-');
    expect([code, stderr]).toEqual([64, expect.stringContaining('a picture is of a whole screen: leave --since out')]);
  });

  test('a file that cannot be written is told of', async () => {
    const { code, stderr } = await run('screen', 'told', '--svg', join(home, 'nowhere/shot.svg'));
    expect([code, stderr]).toEqual([74, expect.stringContaining('could not be written')]);
  });
});
