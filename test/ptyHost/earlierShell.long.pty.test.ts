import { expect, onTestFinished, test } from 'vitest';
import { soon } from '../support/soon.ts';
import { OneTerminal } from './OneTerminal.ts';

/** Its block ends where the next shell starts. */
const SILENT = 'sleep 300';

test('a silent command that was killed with the core keeps its card after the next core', async () => {
  const one = await OneTerminal.open({ shell: '/bin/bash' });
  onTestFinished(() => one.dispose());
  const cards = async () => {
    const { blocks } = await one.api.block.page.query({ terminalId: one.id, limit: 20 });
    return blocks.map(({ seq, cmd, exitCode, endedBy }) => ({ seq, cmd, exitCode, endedBy }));
  };
  await one.submit('echo one');
  await one.submit(SILENT);
  await soon(async () => (await one.view())?.runningBlockId).not.toBeNull();
  await one.renew('all');
  const before = await cards();
  expect(before.map(({ cmd }) => cmd)).toEqual(['echo one', SILENT]);
  await one.renew('core');
  expect(await cards()).toEqual(before);
  await one.submit('echo two');
  await soon(async () => (await cards()).map(({ seq, cmd }) => `${seq} ${cmd}`)).toEqual([
    '1 echo one',
    `2 ${SILENT}`,
    '3 echo two',
  ]);
});
