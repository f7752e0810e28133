import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Dialogs } from '../../../src-renderer/state/Dialogs.svelte.ts';
import { Focus } from '../../../src-renderer/state/Focus.svelte.ts';
import { HistorySearch } from '../../../src-renderer/state/HistorySearch.svelte.ts';
import { Link } from '../../../src-renderer/state/Link.svelte.ts';
import { Notices } from '../../../src-renderer/state/Notices.svelte.ts';
import { Paste } from '../../../src-renderer/state/Paste.ts';
import { SettingsState } from '../../../src-renderer/state/SettingsState.svelte.ts';
import { fakeRpc, usualSettings } from '../support/fakeRpc.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('settings', () => {
  test('a change shows at once and is taken back when the core refuses it', async () => {
    const { rpc } = fakeRpc({
      'settings.set': () => {
        throw new Error('too large');
      },
    });
    const settings = new SettingsState(rpc, usualSettings);
    const setting = settings.set({ theme: 'light' });
    expect(settings.current.theme).toBe('light');
    await expect(setting).rejects.toThrow('too large');
    expect(settings.current.theme).toBe('system');
  });
});

describe('notices', () => {
  const notice = {
    key: 'disk',
    level: 'error',
    text: 'full',
    action: null,
    terminalId: null,
    atMs: 1,
    cleared: false,
  } as const;

  test('one key stands once, with the latest text, until it is cleared', () => {
    const notices = new Notices(fakeRpc().rpc);
    notices.apply(notice);
    notices.apply({ ...notice, text: 'still full' });
    expect(notices.standing.map(({ text }) => text)).toEqual(['still full']);
    notices.apply({ ...notice, cleared: true });
    expect(notices.standing).toEqual([]);
  });

  test('a remark goes by itself, and a failure gives its reason and stays longer', () => {
    const notices = new Notices(fakeRpc().rpc);
    notices.say('Copied');
    vi.advanceTimersByTime(3000);
    expect(notices.remark).toBeNull();
    notices.fail('Could not copy', new Error('not allowed'));
    vi.advanceTimersByTime(3000);
    expect(notices.remark).toEqual({ text: 'Could not copy: not allowed', isError: true });
  });
});

test('a second question answers the first with no', async () => {
  const dialogs = new Dialogs();
  const first = dialogs.ask({ title: 'One?', body: '', confirm: 'Yes' });
  const second = dialogs.ask({ title: 'Two?', body: '', confirm: 'Yes' });
  dialogs.answer(true);
  expect(await Promise.all([first, second])).toEqual([false, true]);
  expect(dialogs.question).toBeNull();
});

describe('the connection', () => {
  test('each return of it starts a new epoch; staying open does not', () => {
    let tell: (state: 'open' | 'lost') => void = () => undefined;
    const { rpc } = fakeRpc({
      onLink: (listen: typeof tell) => {
        tell = listen;
        return () => undefined;
      },
    });
    const link = new Link(rpc);
    link.start();
    for (const state of ['open', 'open', 'lost', 'lost', 'open'] as const) tell(state);
    expect([link.state, link.epoch]).toEqual(['open', 2]);
  });
});

describe('pasting', () => {
  const guarded = { pasted: false, reason: 'confirm', lines: 2, bytes: 7, hidden: true, removedControls: false };
  function setUp(first: unknown) {
    const fake = fakeRpc({
      'terminal.paste': (input: { confirmed?: boolean }) => (input.confirmed ? { pasted: true } : first),
    });
    const dialogs = new Dialogs();
    const notices = new Notices(fake.rpc);
    return { ...fake, dialogs, notices, paste: new Paste(fake.rpc, dialogs, notices) };
  }

  test('asks where the guard asks, showing hidden characters, and pastes only after yes', async () => {
    const { paste, dialogs, calls } = setUp(guarded);
    const done = paste.into('a', 'ls\u202e\nrm');
    await vi.waitFor(() => expect(dialogs.question?.exact).toBe('ls⟨U+202E⟩\nrm'));
    expect(dialogs.question?.title).toBe('Paste 2 lines?');
    dialogs.answer(true);
    expect(await done).toBe(true);
    expect(calls.at(-1)).toEqual(['terminal.paste', { id: 'a', text: 'ls\u202e\nrm', confirmed: true }]);
  });

  test('no means that nothing is sent', async () => {
    const { paste, dialogs, calls } = setUp(guarded);
    const done = paste.into('a', 'x\ny');
    await vi.waitFor(() => expect(dialogs.question).not.toBeNull());
    dialogs.answer(false);
    expect([await done, calls.length]).toEqual([false, 1]);
  });

  test('what the connection cannot carry is refused before it is sent', async () => {
    const { paste, notices, calls } = setUp({ pasted: true });
    expect(await paste.into('a', 'é'.repeat(600_000))).toBe(false);
    expect([calls, notices.remark?.isError]).toEqual([[], true]);
  });
});

describe('the search through history', () => {
  test('only the answer to the latest question is shown, however late the earlier one comes', async () => {
    const waiting = new Map<string, (entries: unknown[]) => void>();
    const { rpc } = fakeRpc({
      'history.list': ({ query }: { query: string }) => new Promise((resolve) => waiting.set(query, resolve)),
    });
    const history = new HistorySearch(rpc);
    const searches = [history.search('g'), history.search('git')];
    await vi.waitFor(() => expect(waiting.size).toBe(2));
    waiting.get('git')?.([{ cmd: 'git log' }]);
    waiting.get('g')?.([{ cmd: 'grep' }]);
    await Promise.all(searches);
    expect(history.entries.map(({ cmd }) => cmd)).toEqual(['git log']);
  });
});

test('text goes into the prompt of its own tab, and a tab without one says so', () => {
  const focus = new Focus();
  const did: string[] = [];
  const stop = focus.registerComposer('a', { focus: () => did.push('focus'), insert: (text) => did.push(text) });
  expect([focus.insertIntoPrompt('a', 'ls'), focus.insertIntoPrompt('b', 'ls')]).toEqual([true, false]);
  stop();
  expect([focus.toComposer('a'), did]).toEqual([false, ['ls', 'focus']]);
});
