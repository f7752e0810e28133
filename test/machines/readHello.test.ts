import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readHello } from '../../src-main/machines/ssh/readHello.ts';

const HELLO = { type: 'failed', reason: 'no room' };
const LINE = `HANSARD-STDIO ${JSON.stringify(HELLO)}\n`;

/** The hello of a remote side that prints these pieces, and the bytes after it. */
async function read(...pieces: string[]) {
  const from = new PassThrough();
  const hello = readHello(from, new AbortController().signal);
  hello.catch(() => undefined); // it is awaited after the last piece
  for (const piece of pieces) {
    from.write(piece);
    await new Promise((resolve) => setImmediate(resolve)); // a piece arrives alone
  }
  from.end();
  return { hello: await hello, rest: await text(from) };
}

test.each([
  ['nothing', []],
  ['lines', ['Welcome to box\n']],
  ['a line without an end', ['Last login: today']],
  ['the title of a window', ['\u001b]0;me@box\u0007']],
  ['words like ours', ['HANSARD-STDIO-like HANSARD-STDIO words', ' HANSARD-STDIO ']],
])('is understood behind %s of a start-up file, and leaves the rest', async (_, before) => {
  expect(await read(...before, LINE, 'bytes')).toEqual({ hello: HELLO, rest: 'bytes' });
  expect(await read(...before, ...`${LINE}bytes`)).toEqual({ hello: HELLO, rest: 'bytes' });
});

test.each([
  ['a line that is no JSON', 'HANSARD-STDIO {]\n'],
  ['a line of another version', 'HANSARD-STDIO {"type":"later"}\n'],
  ['a line without end', `HANSARD-STDIO {${'x'.repeat(17_000)}`],
  ['words without end', 'x'.repeat(70_000)],
])('refuses %s', async (_, said) => {
  await expect(read(said)).rejects.toThrow('in words that this version does not know');
});
