import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../machines/rig/findProgram.ts';
import { BackgroundCore } from '../support/BackgroundCore.ts';
import { connectTo } from '../support/coreClient.ts';
import { readView } from '../support/readView.ts';
import { soon } from '../support/soon.ts';

const SHELLS = [
  { shell: 'bash', define: 'harbourly() { :; }' },
  { shell: 'zsh', define: 'harbourly() { :; }' },
  { shell: 'fish', define: 'function harbourly; true; end' },
];

test.for(SHELLS)(
  'the next core knows the functions of a $shell that outlived the last one',
  async ({ shell, define }, { skip }) => {
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
    const judged = async () => {
      const isCommand = (word: string) => core.api.complete.isCommand.query({ terminalId: id, word });
      return [await isCommand('harbourly'), await isCommand('harbourlee')];
    };
    const renew = async (kill: () => Promise<unknown>) => {
      core.dispose();
      await kill();
      await app.start();
      core = connectTo(app.home);
      await soon(async () => (await readView(core.api, id))?.atPrompt).toBe(true);
    };
    await submit(define);
    await soon(judged).toEqual([true, false]);
    await submit('echo between');
    await soon(judged).toEqual([true, false]);
    await renew(() => app.killCore());
    expect(await judged()).toEqual([true, false]);
    await submit('echo after');
    await soon(judged).toEqual([true, false]);
    await renew(() => app.kill());
    await soon(judged).toEqual([false, false]);
  },
);
