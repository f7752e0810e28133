import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { chatOfRecording } from '../../agents/compare/chatOfRecording.ts';
import { compare } from '../../agents/compare/compare.ts';
import { findRecordings } from '../../agents/compare/findRecordings.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { PtyCli } from '../PtyCli.ts';
import { runCli } from '../runCli.ts';

const home = suiteFolder('cli-capture');
const ARGS = ['agents', 'capture'];
/** A person sees a state before marking it: a mark is evidence of the half second before. */
const LOOKED_MS = 600;

/** Presses the mark key, describes the moment, and waits until the row disappears. */
async function mark(cli: PtyCli, key: string, text: string): Promise<void> {
  await setTimeout(LOOKED_MS);
  cli.pty.write('\x1d');
  await cli.sees(/t tool {2}Esc/);
  cli.pty.write(key);
  await cli.sees(/Mark: /);
  cli.pty.write(`\x15${text}\r`);
  await cli.sees(/\x1b\[H\x1b\[2J/);
}

test('a captured agent is a recording that the walkers of the tests find, and the app reads of it what the person marked', async () => {
  const into = join(home, 'fixtures');
  const options = ['-o', into, '--agent-version', '0.169.0', '--case', 'asked'];
  const cli = new PtyCli([...ARGS, ...options, '--', installDrawnAgent(home)], { home });
  await cli.sees(/Ask Codex/);
  await mark(cli, 'i', '');
  cli.pty.write('work');
  await cli.sees(/work/);
  cli.pty.write('\r');
  await cli.sees(/esc to interrupt/);
  await mark(cli, 'w', 'work');
  cli.pty.write('\x1b');
  await cli.sees(/interrupted/);
  cli.pty.write('ask 1\r');
  await cli.sees(/npm test part-0/);
  await mark(cli, 'm', '');
  await mark(cli, 'a', 'npm test part-0?');
  cli.pty.resize(90, 32);
  await cli.sees(/Press enter to confirm/);
  cli.pty.write('1');
  await cli.sees(/Question 0: 0/);
  cli.pty.write('\x1d\x1d'); // goes to the agent and makes no mark
  await mark(cli, 'i', 'Question 0: 0');
  cli.pty.write('\x15\x04\x04');
  expect(await cli.ended).toEqual({ exitCode: 0, signal: null });
  expect(cli.shown.toString()).toMatch(/captured 5 marks in .*codex\/0\.169\.0-asked; recorded as t/);

  const [recording, ...others] = findRecordings(into);
  if (!recording) throw new Error('no recording is found');
  expect(others).toEqual([]);
  const { name, expected } = recording;
  expect(name).toBe('codex/0.169.0-asked');
  expect(expected.states.map(({ state }) => state)).toEqual(['idle', 'working', 'needs_approval', 'idle']);
  const messages = expected.conversations.flatMap((one) => one.messages);
  expect(messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(['user: work', 'model: Question 0: 0']);
  const { faults, states, statesOnTime } = compare(expected, await chatOfRecording(recording));
  // The second message was not marked, so only the app knows it.
  expect(faults).toEqual(['invented user: "ask 1"']);
  expect([states, statesOnTime]).toEqual([4, 4]);

  const cast = readFileSync(recording.cast, 'utf8');
  expect(cast).toContain('"$ codex\\r\\n"');
  expect(cast).toContain('"r", "90x32"');
  expect(cast).toContain('"m", "snap:1 idle"');
  expect(cast).not.toContain(home);
  expect(readFileSync(join(into, name, 'screens.txt'), 'utf8')).toMatch(/# 4 asks at .*npm test part-0\?/);
  expect(readdirSync(join(into, name)).sort()).toEqual(['expected.json', 'screens.txt', 'session.cast']);
});

test('secrets are redacted in all files, and counted', async () => {
  const key = `sk-ant-api03-${'Ab3dE5gH'.repeat(10)}`;
  const script = join(home, 'leak.sh');
  writeFileSync(script, `echo 'ANTHROPIC_API_KEY=${key}'; read line; echo "$line"`);
  const cli = new PtyCli([...ARGS, '-o', home, '-n', 'leaky', '--', 'sh', script], { home });
  await cli.sees(/sk-ant/);
  await mark(cli, 'i', `my key is ${key}`);
  cli.pty.write('over\r');
  await cli.ended;
  expect(cli.shown.toString()).toMatch(/[1-9]\d* secrets? redacted/);
  const folder = join(home, 'leaky/unknown-basic');
  for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), 'utf8')).not.toContain('Ab3dE5gH');
});

describe('a capture that cannot be made is a sentence, and leaves no folder', () => {
  const refused = async (args: readonly string[]) => {
    const cli = new PtyCli([...ARGS, ...args], { home });
    const { exitCode } = await cli.ended;
    return { exitCode, shown: cli.shown.toString().replaceAll(/\x1b\[[^a-z]*[a-z]|\s+/gi, ' ') };
  };

  test('without a terminal', async () => {
    const { code, stderr } = await runCli([...ARGS, '--', 'true'], { home });
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('run this in a terminal') });
  });

  test('a program that is not there', async () => {
    const { exitCode, shown } = await refused(['-o', join(home, 'none'), '--', 'no-such-agent']);
    expect(exitCode).toBe(69);
    expect(shown).toContain('"no-such-agent" cannot be run');
    expect(existsSync(join(home, 'none/no-such-agent'))).toBe(false);
  });

  test('a folder that is there stays as it is', async () => {
    const folder = join(home, 'kept/true/unknown-basic');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'mine'), 'kept');
    const { exitCode, shown } = await refused(['-o', join(home, 'kept'), '--', 'true']);
    expect(exitCode).toBe(74);
    expect(shown).toContain('exists. Choose another --case');
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test('a folder that cannot be made', async () => {
    writeFileSync(join(home, 'a-file'), '');
    const { exitCode, shown } = await refused(['-o', join(home, 'a-file/in'), '--', 'true']);
    expect(exitCode).toBe(74);
    expect(shown).toContain('a part of its path is a file');
  });

  test.each([
    ['a name that is no folder', ['-n', '../up', '--', 'true']],
    ['a version that is none', ['--agent-version', 'a/b', '--', 'true']],
    ['a case that is none', ['--case', '..', '--', 'true']],
  ])('%s', async (_, args) => {
    expect((await refused(args)).exitCode).toBe(64);
    expect(existsSync(join(home, 'true'))).toBe(false);
  });
});
