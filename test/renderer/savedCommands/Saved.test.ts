import { expect, test } from 'vitest';
import { Saved } from '../../../src-renderer/savedCommands/Saved.svelte.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

const list = (project: string) => ({
  commands: [{ name: 'own', command: 'ls' }],
  path: '',
  problem: null,
  project: { state: 'trusted', path: project, commands: [{ name: project, command: 'make' }] },
});

/** Saved commands whose every request waits for `answers`, in the order of the requests. */
function saved() {
  const answers: PromiseWithResolvers<unknown>[] = [];
  const { rpc } = fakeRpc({
    'saved.list': () => {
      answers.push(Promise.withResolvers());
      return answers.at(-1)?.promise;
    },
  });
  const shown = { id: 'one' };
  const state = new Saved(rpc.saved, () => shown.id);
  return { answers, shown, state, names: () => state.all.map(({ name }) => name) };
}

test('the commands of the folder before are not listed, however late their answer comes', async () => {
  const { answers, state, names } = saved();
  const loads = [state.load(), state.load()];
  await Promise.resolve();
  answers[1]?.resolve(list('new'));
  await loads[1];
  answers[0]?.resolve(list('old'));
  await loads[0];
  expect(names()).toEqual(['own', 'new']);
});

test("a terminal whose list cannot be read does not get the commands of another one's project", async () => {
  const { answers, shown, state, names } = saved();
  for (const [id, fate] of [
    ['one', 'resolve'],
    ['one', 'reject'],
    ['two', 'reject'],
  ] as const) {
    shown.id = id;
    const load = state.load().catch(() => undefined);
    await Promise.resolve();
    answers.at(-1)?.[fate](fate === 'resolve' ? list('first') : new Error('no connection'));
    await load;
    expect(names()).toEqual(id === 'one' ? ['own', 'first'] : ['own']);
  }
});
