import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeSpans } from '../../src-main/telemetry/otlp.ts';
import { turnSpans } from '../../src-main/telemetry/turnSpans.ts';
import { turnsOf } from '../../src-main/telemetry/turnsOf.ts';
import { decodeJson, decodeProtobuf } from './support/otlpSchema.ts';
import { plantedTalk } from './support/plants.ts';
import { anyTalk, Talk } from './support/talks.ts';

const RESOURCE = { 'service.name': 'hansard', 'service.version': '1', 'service.instance.id': 'i' };
const spansOf = ({ conversation, lines }: Talk, content: boolean) =>
  turnsOf(conversation, lines).flatMap((turn) =>
    turnSpans(turn, { label: 'Claude Code', provider: 'anthropic', content }),
  );

test('no planted secret is in what is encoded, in either encoding (law)', () => {
  fc.assert(
    fc.property(plantedTalk, fc.boolean(), ({ talk, secrets }, content) => {
      const spans = spansOf(talk, content);
      for (const encoding of ['protobuf', 'json'] as const) {
        const sent = Buffer.from(encodeSpans(spans, RESOURCE, encoding)).toString('latin1');
        expect(secrets.filter((secret) => sent.includes(secret.slice(0, 16)))).toEqual([]);
      }
    }),
  );
});

test('without content no text of a message is encoded (law)', () => {
  fc.assert(
    fc.property(fc.uuid(), (word) => {
      const talk = plantedWord(word);
      const sent = Buffer.from(encodeSpans(spansOf(talk, false), RESOURCE, 'protobuf')).toString('latin1');
      expect(sent).not.toContain(word);
      expect(Buffer.from(encodeSpans(spansOf(talk, true), RESOURCE, 'protobuf')).toString('latin1')).toContain(word);
    }),
    { numRuns: 20 },
  );
});

test('both encodings say the same by the official schema (law)', () => {
  fc.assert(
    fc.property(anyTalk, fc.boolean(), (talk, content) => {
      const spans = spansOf(talk, content);
      fc.pre(spans.length > 0);
      const decoded = decodeProtobuf(encodeSpans(spans, RESOURCE, 'protobuf'));
      expect(decodeJson(encodeSpans(spans, RESOURCE, 'json'))).toEqual(decoded);
      expect(
        decoded.map(({ traceId, spanId, parentSpanId, name, attributes, status, kind, resource }) => ({
          ...{ traceId, spanId, parentSpanId, name, attributes, status, kind, resource },
        })),
      ).toEqual(
        spans.map(({ traceId, spanId, parentSpanId = '', name, attributes, error }) => ({
          ...{ traceId, spanId, parentSpanId, name, attributes, kind: 'SPAN_KIND_INTERNAL', resource: RESOURCE },
          status: error === null ? 'STATUS_CODE_UNSET' : 'STATUS_CODE_ERROR',
        })),
      );
      for (const [at, { startNs, endNs }] of decoded.entries()) {
        expect(startNs).toBe(BigInt(spans[at]?.startMs ?? -1) * 1_000_000n);
        expect(endNs).toBe(BigInt(spans[at]?.endMs ?? -1) * 1_000_000n);
      }
    }),
  );
});

function plantedWord(word: string): Talk {
  const talk = new Talk(1_700_000_000_000).turn(word, word, { name: 'Bash', input: word, output: word });
  return talk.say('user', word).tool({ name: 'Read' }).say('toolResult', word).say('permission', word).state('idle');
}
