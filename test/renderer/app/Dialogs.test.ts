import { expect, test } from 'vitest';
import { Dialogs } from '../../../src-renderer/app/Dialogs.svelte.ts';

test('a second question answers the first with no', async () => {
  const dialogs = new Dialogs();
  const first = dialogs.ask({ title: 'One?', body: '', confirm: 'Yes' });
  const second = dialogs.ask({ title: 'Two?', body: '', confirm: 'Yes' });
  dialogs.answer(true);
  expect(await Promise.all([first, second])).toEqual([false, true]);
  expect(dialogs.question).toBeNull();
});
