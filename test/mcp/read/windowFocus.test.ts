import { expect, test } from 'vitest';
import { WindowFocus } from '../../../src-main/mcp/read/WindowFocus.ts';

test('the terminal of the window that told last, while that window shows it', () => {
  const shown = new Set(['a/t1', 'b/t2']);
  const focus = new WindowFocus((client, id) => shown.has(`${client}/${id}`));
  expect(focus.terminalId).toBeNull();
  focus.tell('a', 't1');
  focus.tell('b', 't2');
  expect(focus.terminalId).toBe('t2');
  focus.tell('b', null);
  expect(focus.terminalId).toBe('t1');
  focus.tell('b', 't2');
  shown.delete('b/t2'); // the window closes without a report
  expect(focus.terminalId).toBe('t1');
  shown.clear();
  expect(focus.terminalId).toBeNull();
});
