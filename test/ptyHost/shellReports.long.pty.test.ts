import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../machines/rig/findProgram.ts';
import { readView } from '../support/readView.ts';
import { soon } from '../support/soon.ts';
import { OneTerminal } from './OneTerminal.ts';

const SHELLS = [
  { shell: 'bash', define: 'harbourly() { :; }' },
  { shell: 'zsh', define: 'harbourly() { :; }' },
  { shell: 'fish', define: 'function harbourly; true; end' },
];

test.for(SHELLS)(
  'the next core knows the functions of a $shell that outlived the last one',
  async ({ shell, define }, { skip }) => {
    if (findProgram(shell) === null) return skip();
    const one = await OneTerminal.open({ shell });
    onTestFinished(() => one.dispose());
    const judged = async () => {
      const isCommand = (word: string) => one.api.complete.isCommand.query({ terminalId: one.id, word });
      return [await isCommand('harbourly'), await isCommand('harbourlee')];
    };
    await one.submit(define);
    await soon(judged).toEqual([true, false]);
    await one.submit('echo between');
    await soon(judged).toEqual([true, false]);
    await one.renew('core');
    expect(await judged()).toEqual([true, false]);
    await one.submit('echo after');
    await soon(judged).toEqual([true, false]);
    await one.renew('all');
    await soon(judged).toEqual([false, false]);
  },
);

test('a pipe in place of shell.json or output.raw keeps no terminal from the next core', async () => {
  const one = await OneTerminal.open({ shell: 'bash' });
  onTestFinished(() => one.dispose());
  const { id: raw } = await one.api.terminal.open.mutate({ shell: 'bash', cols: 80, rows: 24 });
  for (const [id, file] of [
    [one.id, 'shell.json'],
    [raw, 'output.raw'],
  ] as const) {
    await soon(async () => (await readView(one.api, id))?.atPrompt).toBe(true);
    await soon(async () => (await one.api.terminal.submit.mutate({ id, text: 'echo before' })).ok).toBe(true);
    await soon(async () => (await readView(one.api, id))?.atPrompt).toBe(true);
    const path = join(one.app.home, 'terminals', id, file);
    execFileSync('sh', ['-c', 'rm -f "$1" && mkfifo "$1"', 'sh', path]);
  }
  await one.renew('core');
  await one.submit('echo after');
  await soon(async () =>
    (await one.api.block.page.query({ terminalId: one.id, limit: 9 })).blocks.map(
      ({ cmd, status }) => `${cmd} ${status}`,
    ),
  ).toEqual(['echo before completed', 'echo after completed']);
  await soon(async () => (await readView(one.api, raw)) !== undefined).toBe(true);
});
