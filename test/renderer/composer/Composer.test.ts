import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import type { CompletionChoice } from '../../../src-main/contract/completion.ts';
import { OUTCOME_UNKNOWN } from '../../../src-main/shared/machineIds.ts';
import type { AppState } from '../../../src-renderer/app/AppState.svelte.ts';
import { Dialogs } from '../../../src-renderer/app/Dialogs.svelte.ts';
import { Focus } from '../../../src-renderer/app/Focus.svelte.ts';
import { Notices } from '../../../src-renderer/app/Notices.svelte.ts';
import { Paste } from '../../../src-renderer/app/Paste.ts';
import { strings } from '../../../src-renderer/app/strings.ts';
import { Composer } from '../../../src-renderer/composer/Composer.svelte.ts';
import type { LineEditor } from '../../../src-renderer/composer/editor/LineEditor.ts';
import type { Piece } from '../../../src-renderer/composer/foldKeys.ts';
import type { Edit } from '../../../src-renderer/composer/line/composerKeys.ts';
import { withoutReturned } from '../../../src-renderer/composer/returnedLine.ts';
import { runCommand } from '../../../src-renderer/composer/runCommand.ts';
import { submitDraft, typeInto } from '../../../src-renderer/composer/submitDraft.ts';
import { TerminalState } from '../../../src-renderer/tabs/TerminalState.svelte.ts';
import { fakeRpc, terminalView } from '../support/fakeRpc.ts';

describe('completion', () => {
  const choice = (insert: string): CompletionChoice => ({ insert, label: insert, kind: 'file' });

  function setUp(inserts: string[], draft: string) {
    const terminal = new TerminalState(terminalView({ id: 'a' }));
    terminal.draft = draft;
    const from = draft.lastIndexOf(' ') + 1;
    const answers = { from, to: draft.length, choices: inserts.map(choice) };
    const { rpc, calls } = fakeRpc({ 'complete.line': () => answers });
    const composer = new Composer(rpc, terminal);
    const edits: Edit[] = [];
    const apply = (edit: Edit) => {
      edits.push(edit);
      terminal.draft = draft.slice(0, edit.from) + edit.insert + draft.slice(edit.to);
      composer.typed(terminal.draft, edit.from + edit.insert.length);
      composer.suggest(terminal.draft, edit.from + edit.insert.length);
    };
    const type = (text: string) => {
      terminal.draft = text;
      composer.typed(text, text.length);
      composer.suggest(text, text.length);
    };
    const complete = () => composer.complete(draft, draft.length, apply);
    const labels = () => composer.choices.map(({ label }) => label);
    return { composer, terminal, calls, edits, complete, type, labels };
  }

  test('the only possibility is put in whole', async () => {
    const { complete, edits } = setUp(['two\\ words.txt'], 'cat tw');
    await complete();
    expect(edits).toEqual([{ from: 4, to: 6, insert: 'two\\ words.txt ' }]);
  });

  test('several are offered, with what they have in common put in', async () => {
    const { complete, composer, edits, labels } = setUp(['src/tides.ts', 'src/time.ts'], 'cat src/t');
    await complete();
    expect(edits).toEqual([{ from: 4, to: 9, insert: 'src/ti' }]);
    expect([labels(), composer.isUnasked]).toEqual([['src/tides.ts', 'src/time.ts'], false]);
    composer.step(-1);
    expect(composer.take()).toEqual({ from: 4, to: 10, insert: 'src/time.ts ' });
    expect(labels()).toEqual([]);
  });

  test('an answer that comes after more was typed is dropped', async () => {
    const { complete, composer, terminal, edits } = setUp(['a1', 'a2'], 'cat a');
    const answer = complete();
    terminal.draft = 'cat ab';
    await answer;
    expect([edits, composer.choices]).toEqual([[], []]);
  });

  test('an empty line does not offer every program there is', async () => {
    const { complete, calls } = setUp(['x'], '');
    await complete();
    expect(calls).toEqual([]);
  });

  describe('as the person types', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    test('choices come after a pause, none is chosen, and typing on narrows them at once', async () => {
      const { composer, type, labels, calls } = setUp(['tides.ts', 'time.ts'], 'cat t');
      type('cat');
      type('cat t');
      expect(calls).toEqual([]);
      await vi.advanceTimersByTimeAsync(120);
      expect([labels(), composer.isUnasked, calls.length]).toEqual([['tides.ts', 'time.ts'], true, 1]);
      type('cat tim');
      expect(labels()).toEqual(['time.ts']);
      composer.step(1);
      await vi.advanceTimersByTimeAsync(500);
      expect(calls.length).toBe(1); // the list does not change while the person chooses
      expect(composer.take()).toEqual({ from: 4, to: 7, insert: 'time.ts ' });
    });

    test('Escape keeps them away until more is typed, also those that are on their way', async () => {
      const { composer, type, labels } = setUp(['tides.ts', 'time.ts'], 'cat t');
      type('cat t');
      composer.closeChoices();
      await vi.advanceTimersByTimeAsync(500);
      expect(labels()).toEqual([]);
    });

    test('a line for a program, a word without a letter and a word that is whole open nothing', async () => {
      const { terminal, type, calls, labels } = setUp(['cat'], 'cat');
      type('cat');
      await vi.advanceTimersByTimeAsync(500);
      expect([labels(), calls.length]).toEqual([[], 1]);
      type('cat -');
      await vi.advanceTimersByTimeAsync(500);
      terminal.view = { ...terminal.view, runningBlockId: 'x' };
      terminal.lastBlock = { id: 'x', actor: 'user' } as Block;
      type('cat ti');
      await vi.advanceTimersByTimeAsync(500);
      expect(calls.length).toBe(1);
    });
  });
});

test('history is asked for once a walk, and typing starts a new one', async () => {
  const terminal = new TerminalState(terminalView({ id: 'a' }));
  const { rpc, calls } = fakeRpc({ 'history.startingWith': () => [{ cmd: 'two' }, { cmd: 'one' }] });
  const composer = new Composer(rpc, terminal);
  expect([await composer.older(), await composer.older(), composer.newer()]).toEqual(['two', 'one', 'two']);
  expect(calls.length).toBe(1);
  composer.typed('t', 1);
  expect([composer.newer(), await composer.older(), calls.length]).toEqual([undefined, 'two', 2]);
});

const sent: TerminalState[] = [];
/** Ends the wait of a sent line for its command, whose timers would otherwise fire in a later suite of the same process. */
afterEach(() => {
  for (const { ahead } of sent.splice(0)) ahead.end();
});

function sending(answers: Parameters<typeof fakeRpc>[0], change = {}) {
  const { rpc, calls } = fakeRpc(answers);
  const notices = new Notices(rpc);
  const dialogs = new Dialogs();
  const app = {
    rpc,
    notices,
    dialogs,
    focus: new Focus(),
    terminals: { activeId: 'a' },
    paste: new Paste(rpc, dialogs, notices),
  } as unknown as AppState;
  const terminal = new TerminalState(terminalView({ id: 'a', ...change }));
  sent.push(terminal);
  return { app, terminal, calls, notices };
}

describe('keys right behind a step through the history', () => {
  const pieces = (...texts: string[]): Piece[] => texts.map((text) => ({ text, isPaste: false }));

  function setUp() {
    let answer = (_: string[]): void => undefined;
    let fail = (_: Error): void => undefined;
    const found = new Promise<{ cmd: string }[]>((resolve, reject) => {
      answer = (commands) => resolve(commands.map((cmd) => ({ cmd })));
      fail = reject;
    });
    const { app, terminal, calls } = sending({
      'history.startingWith': () => found,
      'terminal.submit': () => ({ ok: true }),
    });
    const composer = new Composer(app.rpc, terminal);
    const walk = (by: 'older' | 'newer', then: readonly Piece[] = []) =>
      composer.walk(by, {
        then,
        show: (text) => {
          terminal.draft = text;
        },
        type: (typed) => typeInto(app, terminal, typed),
      });
    app.focus.registerComposer('a', {
      ...{ focus: () => undefined, fill: () => undefined, insert: () => undefined, putCaret: () => undefined },
      ...{ walk: (by, then) => void walk(by, then), selectLine: () => false },
    });
    const sent = () =>
      calls.flatMap(([name, input]) => (name === 'terminal.submit' ? [(input as { text: string }).text] : []));
    const asked = () =>
      calls.flatMap(([name, input]) => (name === 'history.startingWith' ? [(input as { prefix: string }).prefix] : []));
    return { app, composer, terminal, walk, answer, fail, sent, asked };
  }

  test('wait for it and act on what it found', async () => {
    const { composer, terminal, walk, answer, sent } = setUp();
    const walked = walk('older');
    expect(['x', '\x7f', '\r', 'p'].map((text) => composer.keeps({ text, isPaste: false }))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(sent()).toEqual([]);
    answer(['make test', 'ls']);
    await walked;
    expect([sent(), terminal.ahead.end(), composer.keeps({ text: 'x', isPaste: false })]).toEqual([
      ['make test'],
      pieces('p'),
      false,
    ]);
  });

  test('are taken as well when it was typed before the composer had the keys', async () => {
    const { app, terminal, answer, sent } = setUp();
    typeInto(app, terminal, pieces('\x1b[A', '\x1b[A', '\x1b[A', '\x1b[B', ' -l', '\r'));
    answer(['make', 'ls', 'pwd']);
    await vi.waitFor(() => expect(sent()).toEqual(['ls -l']));
  });

  test('begin another way through it, as typing does, when they change the line', async () => {
    const { composer, terminal, walk, answer, asked } = setUp();
    const walked = walk('older');
    composer.keeps({ text: '2', isPaste: false });
    answer(['make', 'ls']);
    await walked;
    expect(terminal.draft).toBe('make2');
    await walk('newer');
    await walk('older');
    expect([terminal.draft, asked()]).toEqual(['make2', ['', 'make2']]);
  });

  test('wait for Alt+. as well, and come behind its word', async () => {
    const { app, composer, terminal, answer, sent } = setUp();
    const line = { text: 'cp  b', start: 3, end: 3 };
    const apply = ({ from, to, insert }: Edit) => {
      terminal.draft = line.text.slice(0, from) + insert + line.text.slice(to);
    };
    const editor = { look: () => line, apply } as unknown as LineEditor;
    const done = runCommand('lastWord', { app, terminal, composer, editor }, { ...line, hasChoices: false });
    for (const text of ['/', 'x', '\r']) expect(composer.keeps({ text, isPaste: false })).toBe(true);
    expect(sent()).toEqual([]);
    answer(['ls a']);
    await done;
    expect(sent()).toEqual(['cp a/x b']);
  });

  test('are typed without it where the history does not answer in time, and a late answer changes nothing', async () => {
    vi.useFakeTimers();
    try {
      const { composer, terminal, walk, answer } = setUp();
      const walked = walk('older');
      composer.keeps({ text: 'l', isPaste: false });
      await vi.advanceTimersByTimeAsync(1000);
      expect([terminal.draft, composer.keeps({ text: 's', isPaste: false })]).toEqual(['l', false]);
      answer(['make']);
      await walked;
      expect(terminal.draft).toBe('l');
    } finally {
      vi.useRealTimers();
    }
  });

  test('are not needed for a step that takes long', async () => {
    vi.useFakeTimers();
    try {
      const { terminal, walk, answer } = setUp();
      const walked = walk('older');
      await vi.advanceTimersByTimeAsync(2000);
      answer(['make']);
      await walked;
      expect(terminal.draft).toBe('make');
    } finally {
      vi.useRealTimers();
    }
  });

  test('are typed without it where the history cannot be read', async () => {
    const { composer, terminal, walk, fail } = setUp();
    const walked = walk('older', pieces('l'));
    composer.keeps({ text: 's', isPaste: false });
    fail(new Error('closed'));
    await expect(walked).rejects.toThrow('closed');
    expect(terminal.draft).toBe('ls');
  });
});

describe('sending the draft', () => {
  test('to the shell as one command, and the box is empty at once', async () => {
    const { app, terminal, calls } = sending({ 'terminal.submit': () => ({ ok: true }) });
    terminal.draft = 'ls';
    const sent = submitDraft(app, terminal);
    expect(terminal.draft).toBe('');
    await sent;
    expect(calls).toEqual([['terminal.submit', { id: 'a', text: 'ls', asked: { running: null } }]]);
  });

  test('an empty line is a Return for what runs', async () => {
    const { app, terminal, calls } = sending({ 'terminal.submit': () => ({ ok: true }) }, { runningBlockId: 'b' });
    await submitDraft(app, terminal);
    expect(calls).toEqual([['terminal.submit', { id: 'a', text: '', asked: { running: 'b' } }]]);
  });

  test('is for the program that ran when the draft was begun, and asks again as a paste does', async () => {
    const question = { reason: 'confirm', lines: 2, bytes: 9, hidden: false, removedControls: false };
    const { app, terminal, calls } = sending(
      {
        'terminal.submit': ({ asked }: { asked: { confirmed?: true } }) => ({
          ok: asked.confirmed === true,
          ...question,
        }),
      },
      { runningBlockId: 'b' },
    );
    terminal.draft = 'go on\nso';
    const sent = submitDraft(app, terminal);
    await expect.poll(() => app.dialogs.question).toBeTruthy();
    app.dialogs.answer(true);
    await sent;
    expect(calls.map(([, input]) => (input as { asked: unknown }).asked)).toEqual([
      { running: 'b' },
      { running: 'b', confirmed: true },
    ]);
  });

  test("a draft begun at the prompt is for the prompt, also when a client's program is seen to run", async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] }); // a notice stays longer than the check for leftovers waits
    onTestFinished(() => void vi.useRealTimers());
    const { app, terminal, calls } = sending({ 'terminal.submit': () => ({ ok: false, reason: 'busy' }) });
    terminal.draft = 'ls';
    terminal.view = { ...terminal.view, runningBlockId: 'x' };
    terminal.lastBlock = { id: 'x', actor: 'agent:c' } as Block;
    await submitDraft(app, terminal);
    await submitDraft(app, terminal); // after the notice, the line goes to the program
    expect(calls.map(([, input]) => (input as { asked: unknown }).asked)).toEqual([
      { running: null },
      { running: 'x' },
    ]);
  });

  test("a draft begun before the window knows of the person's own program is for that program", async () => {
    const { app, terminal, calls } = sending({ 'terminal.submit': () => ({ ok: true }) });
    terminal.draft = 'print(1)';
    terminal.view = { ...terminal.view, runningBlockId: 'x' };
    terminal.lastBlock = { id: 'x', actor: 'user' } as Block;
    await submitDraft(app, terminal);
    expect(calls).toEqual([['terminal.submit', { id: 'a', text: 'print(1)', asked: { running: 'x' } }]]);
  });

  test('may have run where the connection breaks before an answer, and the notice says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const broke = TRPCClientError.from(new Error('WebSocket closed'));
    const cut = TRPCClientError.from({
      error: { message: 'cut', code: -32099, data: { code: OUTCOME_UNKNOWN } },
    } as never);
    for (const error of [broke, cut]) {
      const { app, terminal, notices } = sending({ 'terminal.submit': () => Promise.reject(error) });
      terminal.draft = 'make deploy';
      await submitDraft(app, terminal);
      expect([terminal.draft, notices.remark?.text]).toEqual(['make deploy', strings.composer.sendUnsure]);
    }
  });

  test('a line that a lost connection refused is held beside the one that is typed on, and joined to none', async () => {
    const { app, terminal, notices } = sending({ 'terminal.submit': () => Promise.reject(new Error('closed')) });
    terminal.draft = 'deploy';
    const sent = submitDraft(app, terminal, [{ text: 'make\rl', isPaste: false }]);
    terminal.ahead.take({ text: 's', isPaste: false });
    await sent;
    notices.start()();
    expect([terminal.held, terminal.draft]).toEqual([['deploy', 'make'], 'ls']);
  });

  test('a line that a busy shell refused is held beside the one that is typed on, and joined to none', async () => {
    const { app, terminal, notices } = sending({ 'terminal.submit': () => ({ ok: false, reason: 'busy' }) });
    terminal.draft = 'deploy';
    const sent = submitDraft(app, terminal, [{ text: 'ls', isPaste: false }]);
    await sent;
    notices.start()();
    expect([terminal.held, terminal.draft]).toEqual([['deploy'], 'ls']);
  });

  test.each([
    { isSelected: false, typed: 'deployl', line: 'l', held: ['deploy'] },
    { isSelected: true, typed: 'l', line: 'l', held: ['deploy'] },
    { isSelected: false, typed: 'deplo', line: 'deplo', held: [] },
    { isSelected: true, typed: '', line: '', held: [] },
  ])('a returned line and what is typed at it: %o', ({ isSelected, typed, line, held }) => {
    const { terminal } = sending({});
    terminal.draft = 'deploy';
    terminal.returned = { text: 'deploy', isSelected };
    expect([withoutReturned(terminal, typed), terminal.held, terminal.returned]).toEqual([line, held, null]);
  });

  test('what is refused comes back, before what was typed meanwhile, with the reason', async () => {
    const { app, terminal, notices } = sending({ 'terminal.submit': () => ({ ok: false, reason: 'too-long' }) });
    terminal.draft = 'ls';
    const sent = submitDraft(app, terminal);
    terminal.draft = 'next';
    await sent;
    notices.start()();
    expect([terminal.draft, notices.remark?.text]).toEqual([
      'ls\nnext',
      'Not sent: the line is longer than the program can take at once. Send it in parts.',
    ]);
  });

  test('a lost connection loses no line', async () => {
    const { app, terminal, notices } = sending({
      'terminal.submit': () => {
        throw new Error('closed');
      },
    });
    terminal.draft = 'ls';
    await submitDraft(app, terminal);
    notices.start()();
    expect([terminal.draft, notices.remark?.text]).toEqual(['ls', 'Could not send the line: closed']);
  });
});
