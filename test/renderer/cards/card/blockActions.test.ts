import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../src-main/contract/block.ts';
import { formatPath } from '../../../../src-renderer/app/formatWords.ts';
import { BLOCK_ACTIONS, runBlockAction } from '../../../../src-renderer/cards/card/blockActions.ts';
import type { BlockPane } from '../../../../src-renderer/cards/list/BlockPane.svelte.ts';
import { fakeRpc } from '../../support/fakeRpc.ts';
import { aBlock } from '../aBlock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The part of a pane that actions use, with the messages to the person in `said` and the questions in `asked`. */
function setUp(answers: Parameters<typeof fakeRpc>[0], saysYes = true) {
  const { rpc, calls } = fakeRpc(answers);
  const said: string[] = [];
  const asked: { title: string; exact?: string }[] = [];
  const pane = {
    app: {
      rpc,
      machines: { place: (_id: string, path: string) => formatPath(path, '/home/ada') },
      notices: { say: (text: string) => said.push(text), fail: (text: string) => said.push(`! ${text}`) },
      dialogs: {
        ask: async (question: { title: string; exact?: string }) => {
          asked.push(question);
          return saysYes;
        },
      },
      focus: { insertIntoPrompt: () => false },
    },
    terminal: { id: 't1', view: { cwd: '/home/ada/here' } },
    flow: { toEnd: () => undefined },
    selected: { count: 0, has: () => false, blocks: [] as Block[] },
    ref: (block: Block) => ({ terminalId: 't1', blockId: block.id }),
    copy: async (text: string | Promise<string>, words: string | (() => string)) => {
      const copied = await text;
      said.push(`${typeof words === 'string' ? words : words()}: ${copied}`);
    },
  };
  return { pane: pane as unknown as BlockPane, calls, said, asked };
}

describe('what can be done with a card', () => {
  test('every action has a name and an id of its own, and no key means two things', () => {
    const keys = BLOCK_ACTIONS.flatMap((action) => action.keys?.split(' ') ?? []);
    expect(new Set(BLOCK_ACTIONS.map(({ id }) => id)).size).toBe(BLOCK_ACTIONS.length);
    expect(new Set(keys).size).toBe(keys.length);
    expect(BLOCK_ACTIONS.filter(({ name }) => name === '')).toEqual([]);
  });

  test('running again in another folder asks with both folders named, and then says that it is meant', async () => {
    const { pane, calls, asked } = setUp({
      'block.rerun': ({ confirmed }: { confirmed?: boolean }) =>
        confirmed ? { ok: true } : { ok: false, reason: 'cwd-differs' },
    });
    runBlockAction(pane, 'block.rerun', aBlock({ seq: 1, cmd: 'make', cwd: '/home/ada/there' }));
    await settled();
    expect(asked).toEqual([
      expect.objectContaining({ exact: 'make', body: 'The command ran in ~/there. It would now run in ~/here.' }),
    ]);
    expect(calls.map(([, input]) => input)).toEqual([
      { terminalId: 't1', blockId: 'b1' },
      { terminalId: 't1', blockId: 'b1', confirmed: true },
    ]);
  });

  test('text that was not verified is run only after it was read', async () => {
    const { pane, calls, asked } = setUp({ 'block.rerun': () => ({ ok: false, reason: 'untrusted' }) }, false);
    runBlockAction(pane, 'block.rerun', aBlock({ seq: 1, cmd: 'rm -rf x', trusted: false }));
    await settled();
    expect([asked[0]?.exact, calls.length]).toEqual(['rm -rf x', 1]);
  });

  test.each([
    ['busy', 'Not run: another command is running here. Wait until it ends.'],
    ['exited', 'Not run: the shell exited. Restart it first.'],
    ['unknown-text', 'Not run: the exact command text is unknown. Type it again.'],
  ])('a refusal is said: %s', async (reason, words) => {
    const { pane, said, asked } = setUp({ 'block.rerun': () => ({ ok: false, reason }) });
    runBlockAction(pane, 'block.rerun', aBlock({ seq: 1 }));
    await settled();
    expect([said, asked]).toEqual([[words], []]);
  });

  test('copying counts the lines that were copied and says when some are missing', async () => {
    const { pane, said } = setUp({ 'block.text': () => ({ text: 'a\nb\n', truncated: true }) });
    runBlockAction(pane, 'block.copyOutput', aBlock({ seq: 1 }));
    await settled();
    expect(said).toEqual(['Copied 2 lines. The rest is too long for the clipboard: export it instead.: a\nb\n']);
  });

  test('what the card does not have cannot be asked for', async () => {
    const { pane, calls } = setUp({});
    const nameless = aBlock({ seq: 1, cmd: null });
    const running = aBlock({ seq: 2, status: 'running', exitCode: null });
    for (const id of ['block.copyCommand', 'block.rerun', 'block.insert']) runBlockAction(pane, id, nameless);
    for (const id of ['block.filter', 'block.openInEditor', 'block.export.md']) runBlockAction(pane, id, running);
    await settled();
    expect(calls).toEqual([]);
  });

  test('an action that fails says so by its name', async () => {
    const { pane, said } = setUp({
      'block.setBookmarked': () => {
        throw new Error('lost');
      },
    });
    runBlockAction(pane, 'block.bookmark', aBlock({ seq: 1 }));
    await settled();
    expect(said).toEqual(['! “Bookmark” failed']);
  });
});
