import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../machines/rig/findProgram.ts';
import { soon } from '../support/soon.ts';
import { OneTerminal } from './OneTerminal.ts';

/** Without output: their blocks end where the next shell starts. */
const SILENT = [
  { shell: 'bash', how: 'that was killed with the core', ends: 'sleep 300' },
  { shell: 'zsh', how: 'that ended its shell', ends: 'exit 3' },
  { shell: 'fish', how: 'that replaced its shell', ends: 'exec true' },
];

test.for(SILENT)(
  'a silent command of $shell $how keeps its card after the next core',
  async ({ shell, ends }, { skip }) => {
    if (findProgram(shell) === null) return skip();
    const one = await OneTerminal.open({ shell });
    onTestFinished(() => one.dispose());
    const cards = async () => {
      const { blocks } = await one.api.block.page.query({ terminalId: one.id, limit: 20 });
      return blocks.map(({ seq, cmd, exitCode, endedBy }) => ({ seq, cmd, exitCode, endedBy }));
    };
    await one.submit('echo one');
    await one.submit(ends);
    if (ends.startsWith('sleep')) {
      await soon(async () => (await one.view())?.runningBlockId).not.toBeNull();
      await one.renew('all');
    } else {
      await soon(async () => (await one.view())?.state).toBe('exited');
      await one.api.terminal.restart.mutate({ id: one.id });
      await soon(async () => (await one.view())?.atPrompt).toBe(true);
    }
    const before = await cards();
    expect(before.map(({ cmd }) => cmd)).toEqual(['echo one', ends]);
    await one.renew('core');
    expect(await cards()).toEqual(before);
    await one.submit('echo two');
    await soon(async () => (await cards()).map(({ seq, cmd }) => `${seq} ${cmd}`)).toEqual([
      '1 echo one',
      `2 ${ends}`,
      '3 echo two',
    ]);
  },
);
