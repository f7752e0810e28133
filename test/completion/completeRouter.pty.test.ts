import { expect, test, vi } from 'vitest';
import { completeRouter } from '../../src-main/api/completeRouter.ts';
import { TestCore } from '../support/TestCore.ts';

test('the window completes lines and asks for commands in the folder and the shell of a terminal', async () => {
  const started = await TestCore.start();
  try {
    const { core, home } = started;
    started.write('tides and moon.txt', '');
    const { id } = await core.open({ cwd: home, cols: 80, rows: 24 });
    const api = completeRouter.createCaller({ core, frontend: 'web', clientId: 'c' });
    await vi.waitFor(() => expect(core.terminal(id).view.atPrompt).toBe(true), 20_000);
    const ask = async (text: string) => (await api.line({ terminalId: id, text, caret: text.length })).choices[0];
    await vi.waitFor(async () => expect((await ask('cat ti'))?.insert).toBe('tides\\ and\\ moon.txt'), 20_000);
    await vi.waitFor(async () => expect(await ask('git checko')).toMatchObject({ insert: 'checkout' }), 20_000);
    expect(await api.isCommand({ terminalId: id, word: 'cat' })).toBe(true);
    expect(await api.isCommand({ terminalId: id, word: 'no-such-command' })).toBe(false);
    expect(await api.isCommand({ terminalId: id, word: './no-such-command' })).toBeNull();
  } finally {
    await started.dispose();
  }
});
