import { afterEach, test } from 'vitest';
import { readBlocks } from '../../src-main/store/record/readBlocks.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { soon } from '../support/soon.ts';
import { OneTerminal } from './OneTerminal.ts';

let one: OneTerminal | null = null;
afterEach(() => one?.dispose());

test.each([
  ['a command of several lines is recorded', 'for i in 1 2; do\n  echo "row $i"; sleep 3\ndone', true],
  ['one that begins with a space is not', ' echo row; sleep 6', false],
  ['one of several lines that begins with a space is not', ' for i in 1 2; do\n  echo "row $i"; sleep 3\ndone', false],
])('under ignoreboth, with a kill of the core while it runs, %s', async (_, line, isRecorded) => {
  one = await OneTerminal.open({ shell: 'bash', env: { PS1: '$ ', HISTFILE: '' } });
  const { api, app, id } = one;
  const last = async (of = api) => (await of.block.page.query({ terminalId: id, limit: 9 })).blocks.at(-1);
  await one.submit('HISTCONTROL=ignoreboth');
  await soon(async () => (await last())?.status).toBe('completed');
  await one.submit(line);
  await soon(async () => (await last())?.cmd).toBe(line);
  await soon(async () => (await app.run('screen', id)).stdout).toMatch(/\nrow/);
  await one.renew('core');
  const next = one.api;
  await soon(async () => (await last(next))?.status).toBe('completed');
  await one.submit('echo after');
  await soon(async () => (await last(next))?.cmd).toBe('echo after');
  await soon(async () => {
    const { blocks } = await readBlocks(new SessionFolder(app.home, id), { limit: 9 });
    return blocks.map(({ seq, cmd }) => [seq, cmd]);
  }).toEqual([[1, 'HISTCONTROL=ignoreboth'], ...(isRecorded ? [[2, line]] : []), [3, 'echo after']]);
});
