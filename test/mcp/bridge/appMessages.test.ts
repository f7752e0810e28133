import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAppMessage } from '../../../src-main/mcp/bridge/messages.ts';

const id = fc.oneof(fc.maxSafeInteger(), fc.string(), fc.stringMatching(/^[\w:./-]{0,70}$/));
const object = fc.dictionary(fc.string(), fc.jsonValue());
/** Strings that look like the start or end of a result, used as values. */
const lookalike = fc.constantFrom(
  '},"jsonrpc":"2.0","id":5}',
  '{"result":{},"jsonrpc":"2.0","id":"a"}',
  '\\"},"jsonrpc":"2.0","id":"x',
);
const value = fc.oneof(object, object, fc.record({ text: lookalike, 'x},"jsonrpc":"2.0","id': fc.nat() }));

function read(text: string) {
  return readAppMessage({ type: 'line', bytes: Buffer.from(text) });
}

test('a result of the app bears the id and says what JSON says, whatever stands in it', () => {
  fc.assert(
    fc.property(value, id, (result, own) => {
      const text = JSON.stringify({ result, jsonrpc: '2.0', id: own });
      const message = read(text);
      expect(message).toMatchObject({ kind: 'response', id: own, bytes: Buffer.from(text) });
      expect(message?.kind === 'response' && message.result).toEqual(JSON.parse(text).result);
      expect(message?.fields).toEqual(JSON.parse(text));
    }),
  );
});

test('members in any other order, and members beside them, make no difference', () => {
  const members = fc.record({ jsonrpc: fc.constant('2.0'), id, result: value });
  fc.assert(
    fc.property(
      members,
      fc.shuffledSubarray(['jsonrpc', 'id', 'result'], { minLength: 3 }),
      value,
      (all, order, more) => {
        const inOrder = Object.fromEntries(order.map((name) => [name, all[name as keyof typeof all]]));
        for (const shown of [inOrder, { ...inOrder, more }, { result: all.result, more, jsonrpc: '2.0', id: all.id }]) {
          const message = read(JSON.stringify(shown));
          expect(message).toMatchObject({ kind: 'response', id: all.id });
          expect(message?.kind === 'response' && message.result).toEqual(JSON.parse(JSON.stringify(all.result)));
        }
      },
    ),
  );
});

test.each([
  ['an error', '{"jsonrpc":"2.0","id":5,"error":{"code":-1,"message":"x"}}', { kind: 'response', id: 5, result: null }],
  ['a result that is no object', '{"result":[{}],"jsonrpc":"2.0","id":5}', null],
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/x","params":{}}', { kind: 'notification' }],
  ['a request', '{"method":"ping","jsonrpc":"2.0","id":5}', { kind: 'request', id: 5 }],
  ['an id that is no whole number', '{"result":{},"jsonrpc":"2.0","id":1.5}', null],
])('%s is read as a whole', (_, text, expected) => {
  if (expected === null) expect(read(text)).toBeNull();
  else expect(read(text)).toMatchObject(expected);
});
