import { expect, test } from 'vitest';
import { textAfterSending } from '../../../src-renderer/agents/textAfterSending.ts';

test.each([
  ['nothing', 'run it', 'run it', ''],
  ['more at its end', 'run it\nand then', 'run it', '\nand then'],
  ['another beginning', 'please run it', 'run it', 'please run it'],
  ['another text', 'stop', 'run it', 'stop'],
])('%s typed while a reply is sent stays in its field', (_, text, sent, stays) => {
  expect(textAfterSending(text, sent)).toBe(stays);
});
