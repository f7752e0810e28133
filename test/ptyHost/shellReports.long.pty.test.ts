import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../machines/rig/findProgram.ts';
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
