import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHostsAnswer, QueryAnswers } from '../../src-main/ptyHost/host/QueryAnswers.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const QUERIES = ['\x1b[c', '\x1b[0c', '\x1b[>c', '\x1b[>0c', '\x1b[5n'];

async function screenAnswers(output: string): Promise<string> {
  const screen = new ScreenModel({ cols: 80, rows: 24, scrollbackLines: 10 });
  let answers = '';
  screen.onReply((reply) => {
    answers += reply;
  });
  await screen.write(Buffer.from(output));
  screen.dispose();
  return answers;
}

test.each(QUERIES)('the host answers %j as the screen does', async (query) => {
  const answer = new QueryAnswers().answer(Buffer.from(query), 0);
  expect(answer).toBe(await screenAnswers(query));
  expect(isHostsAnswer(answer)).toBe(true);
});

test('the host leaves out what needs a screen', async () => {
  const asked = '\x1b[6n\x1b[?6n\x1b]11;?\x07\x1b[?2026$p';
  expect(new QueryAnswers().answer(Buffer.from(asked), 0)).toBe('');
});

test('a query is answered once wherever the output is divided', () => {
  const text = fc.constantFrom('abc\r\n', '\x1b[31m', '\x1b[2J', ...QUERIES);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 9 })), (texts, lengths) => {
      const stream = Buffer.from(texts.join(''));
      const answers = new QueryAnswers();
      let answered = '';
      let at = 0;
      for (const length of [...lengths, stream.length]) {
        answered += answers.answer(stream.subarray(at, at + length), 0);
        at += length;
      }
      expect(answered).toBe(new QueryAnswers().answer(stream, 0));
    }),
    fuzzRuns(300),
  );
});

test('no more than fifty queries in a second are answered', () => {
  const answers = new QueryAnswers();
  const flood = Buffer.from('\x1b[5n'.repeat(200));
  expect(answers.answer(flood, 0)).toBe('\x1b[0n'.repeat(50));
  expect(answers.answer(flood, 1000)).toBe('\x1b[0n'.repeat(50));
});
