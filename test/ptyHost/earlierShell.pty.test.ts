import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../machines/rig/findProgram.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { readView } from '../support/readView.ts';
import { soon } from '../support/soon.ts';

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
    const app = new BackgroundCore({ HANSARD_PTY_HOST: 'on' });
    await app.start();
    let core = connectTo(app.home);
    onTestFinished(async () => {
      core.dispose();
      await app.run('serve', 'stop', '--force');
      await app.dispose();
    });
    const { id } = await core.api.terminal.open.mutate({ shell, cols: 80, rows: 24 });
    const submit = (text: string) =>
      soon(async () => (await core.api.terminal.submit.mutate({ id, text })).ok).toBe(true);
    const renew = async (kill: () => Promise<unknown>) => {
      core.dispose();
      await kill();
      await app.start();
      core = connectTo(app.home);
      await soon(async () => (await readView(core.api, id))?.atPrompt).toBe(true);
    };
    const cards = async () => {
      const { blocks } = await core.api.block.page.query({ terminalId: id, limit: 20 });
      return blocks.map(({ seq, cmd, exitCode, endedBy }) => ({ seq, cmd, exitCode, endedBy }));
    };
    await submit('echo one');
    await submit(ends);
    if (ends.startsWith('sleep')) {
      await soon(async () => (await readView(core.api, id))?.runningBlockId).not.toBeNull();
      await renew(() => app.kill());
    } else {
      await soon(async () => (await readView(core.api, id))?.state).toBe('exited');
      await core.api.terminal.restart.mutate({ id });
      await soon(async () => (await readView(core.api, id))?.atPrompt).toBe(true);
    }
    const before = await cards();
    expect(before.map(({ cmd }) => cmd)).toEqual(['echo one', ends]);
    await renew(() => app.killCore());
    expect(await cards()).toEqual(before);
    await submit('echo two');
    await soon(async () => (await cards()).map(({ seq, cmd }) => `${seq} ${cmd}`)).toEqual([
      '1 echo one',
      `2 ${ends}`,
      '3 echo two',
    ]);
  },
);
