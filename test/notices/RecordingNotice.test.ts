import { expect, test } from 'vitest';
import { Notices } from '../../src-main/notices/Notices.ts';

const FULL = 'the disk is full (ENOSPC)';

test.each([
  [`output.raw: ${FULL}`, `output.raw: ${FULL}`],
  [`x.json: x.json could not be written: ${FULL}`, `x.json could not be written: ${FULL}`],
  [`x.json: y.json could not be written: ${FULL}`, `x.json: y.json could not be written: ${FULL}`],
])('the notice about one terminal, which is over all tabs, names the file of %j once', (fault, said) => {
  const notices = new Notices();
  notices.recording.report('t1', fault, 0);
  expect(notices.current).toMatchObject([{ terminalId: 't1', text: `A terminal is not being recorded: ${said}` }]);
  notices.recording.report('t1', null, 1);
  expect(notices.current).toEqual([]);
});
