import { expect, test } from 'vitest';
import { opencode } from '../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';
import { plainSnapshot } from '../../../support/snapshots.ts';

/** A screen of version 1.18.33 with 40 columns. */
const screenOf = (...end: string[]) => `  ┃
  ┃  tell me a long story
  ┃

     The terminal keeps a record.

${end.join('\n')}

  ┃
  ┃
  ┃
  ┃  Build · Mock Model Mock
  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
   /home/u/project     ctrl+p commands`;
const SAID = ['user: tell me a long story', 'model: The terminal keeps a record.'];

test.each([
  [['     ▣  Build · Mock Model · interrupted']],
  [['     ▣  Build · Mock Model · 13.3s ·', '     interrupted']],
  [['     ▣  Build · Mock Model · 13.3s', '     · interrupted']],
])('the end of a turn that was interrupted is a notice, also where it is broken: %j', (end) => {
  const { messages } = opencode.extract(plainSnapshot(screenOf(...end), 40));
  expect(messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([...SAID, 'notice: interrupted']);
});

test('the rest of a broken end says nothing', () => {
  const end = ['     ▣  Build · A Model With A Long', '     Name That Goes On', '     · 3.4s'];
  const { messages } = opencode.extract(plainSnapshot(screenOf(...end), 40));
  expect(messages.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(SAID);
});
