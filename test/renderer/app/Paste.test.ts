import { describe, expect, test, vi } from 'vitest';
import { Dialogs } from '../../../src-renderer/app/Dialogs.svelte.ts';
import { Notices } from '../../../src-renderer/app/Notices.svelte.ts';
import { Paste } from '../../../src-renderer/app/Paste.ts';
import { fakeRpc } from '../support/fakeRpc.ts';

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

  test('what the core does not take is refused before it is sent', async () => {
    const { paste, notices, calls } = setUp({ pasted: true });
    expect(await paste.into('a', 'é'.repeat(17 * 1024 * 1024))).toBe(false);
    expect([calls, notices.remark?.isError]).toEqual([[], true]);
    notices.start()(); // ends the timer of the remark
  });
});
