import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXTRACTORS } from '../../src-main/conversations/extraction/extractors/agents/all.ts';
import { MOST_ATTRIBUTE_CHARS, MOST_TEXT_CHARS } from '../../src-main/telemetry/spanContent.ts';
import { turnSpans } from '../../src-main/telemetry/turnSpans.ts';
import { turnsOf } from '../../src-main/telemetry/turnsOf.ts';
import { anyTalk, Talk } from './support/talks.ts';

/** Names of the semantic conventions; SOURCES.md beside the file has the source. */
const CONVENTIONS = JSON.parse(readFileSync(new URL('../fixtures/otlp/genAi.json', import.meta.url), 'utf8')) as {
  [key in
    | `${'invokeAgent' | 'executeTool'}${'' | 'Required'}`
    | 'optIn'
    | 'operations'
    | 'providers'
    | 'roles'
    | 'finishReasons']: string[];
} & { parts: Record<string, string[]> };

const WISH = { label: 'Claude Code', provider: 'anthropic', content: true };
const spansOf = (talk: Talk, wish: Partial<typeof WISH> = {}) =>
  turnsOf(talk.conversation, talk.lines).map((turn) => ({ turn, spans: turnSpans(turn, { ...WISH, ...wish }) }));

describe('the turns of a conversation (law)', () => {
  test('are every message that was said in it, once, in order', () => {
    fc.assert(
      fc.property(anyTalk, (talk) => {
        const said = talk.lines.filter(
          (line) =>
            'kind' in line &&
            line.replayOf === undefined &&
            ['user', 'model', 'toolCall', 'toolResult', 'permission'].includes(line.kind),
        );
        const taken = turnsOf(talk.conversation, talk.lines).flatMap(({ messages }) => messages);
        const first = said.findIndex((line) => 'kind' in line && ['user', 'model', 'toolCall'].includes(line.kind));
        expect(taken).toEqual(first < 0 ? [] : said.slice(first));
      }),
    );
  });

  test('are over as soon as another follows, and all of them once the conversation ended', () => {
    fc.assert(
      fc.property(anyTalk, (talk) => {
        const turns = turnsOf(talk.conversation, talk.lines);
        expect(turns.slice(0, -1).every(({ isOver }) => isOver)).toBe(true);
        if (talk.conversation.endedMs !== null) expect(turns.every(({ isOver }) => isOver)).toBe(true);
      }),
    );
  });

  const over = (talk: Talk) => turnsOf(talk.conversation, talk.lines).at(-1)?.isOver;
  test.each<[string, boolean, (talk: Talk) => Talk]>([
    ['works', false, (talk) => talk.say('user', 'a').state('working')],
    ['was idle before the prompt', false, (talk) => talk.state('idle').say('user', 'a')],
    [
      'was idle before the prompt and has answered',
      true,
      (talk) => talk.state('idle').say('user', 'a').say('model', 'b'),
    ],
    ['waits for a prompt', true, (talk) => talk.turn('a', 'b')],
    ['waits for an answer to its question', false, (talk) => talk.say('user', 'a').state('needs_approval')],
    [
      'waits while a message still streams',
      false,
      (talk) => talk.say('user', 'a').say('model', 'b', { final: false }).state('idle'),
    ],
    ['is gone', true, (talk) => talk.say('user', 'a').state('working').event({ type: 'cli:exit' })],
    ['was cleared', true, (talk) => talk.say('user', 'a').state('working').event({ type: 'cli:clear' })],
  ])('of an agent that %s: over is %s', (_, isOver, write) => {
    expect(over(write(new Talk(1_000)))).toBe(isOver);
  });
});

describe('the spans of a turn (law)', () => {
  test('have names of the conventions, and those that are required', () => {
    fc.assert(
      fc.property(anyTalk, fc.boolean(), (talk, content) => {
        for (const { spans } of spansOf(talk, { content }))
          for (const [at, { attributes, name, error }] of spans.entries()) {
            const kind = at === 0 ? 'invokeAgent' : 'executeTool';
            const names = Object.keys(attributes);
            expect(names.filter((one) => !CONVENTIONS[kind].includes(one))).toEqual([]);
            expect(CONVENTIONS[`${kind}Required`].filter((one) => !names.includes(one))).toEqual([]);
            const operation = attributes['gen_ai.operation.name'] ?? '';
            expect(CONVENTIONS.operations).toContain(operation);
            expect(name).toBe(
              `${operation} ${at === 0 ? attributes['gen_ai.agent.name'] : attributes['gen_ai.tool.name']}`,
            );
            expect(attributes['error.type'] ?? null).toBe(error);
            if (!content) expect(names.filter((one) => CONVENTIONS.optIn.includes(one))).toEqual([]);
          }
      }),
    );
  });

  test('are one trace: tools are children of the turn, within its time', () => {
    fc.assert(
      fc.property(anyTalk, (talk) => {
        for (const { turn, spans } of spansOf(talk)) {
          const [own, ...tools] = spans;
          expect(own?.parentSpanId).toBeUndefined();
          expect(tools).toHaveLength(turn.messages.filter(({ kind }) => kind === 'toolCall').length);
          for (const span of spans) {
            expect(span.traceId).toBe(own?.traceId);
            expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
          }
          for (const tool of tools) {
            expect(tool.parentSpanId).toBe(own?.spanId);
            expect(tool.startMs).toBeGreaterThanOrEqual(own?.startMs ?? Number.NaN);
            expect(tool.endMs).toBeLessThanOrEqual(own?.endMs ?? Number.NaN);
          }
        }
      }),
    );
  });

  test('have ids that are the same each time and their own among all others', () => {
    fc.assert(
      fc.property(anyTalk, (talk) => {
        const ids = spansOf(talk).map(({ spans }) => spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`));
        expect(
          spansOf(talk, { content: false }).map(({ spans }) =>
            spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`),
          ),
        ).toEqual(ids);
        expect(new Set(ids.flat()).size).toBe(ids.flat().length);
        const other = new Talk(1, { terminalId: 't2', conversationId: 'c1' }).turn('a', 'b');
        const otherIds = spansOf(other).flatMap(({ spans }) => spans.map(({ traceId }) => traceId));
        expect(ids.flat().some((id) => otherIds.some((one) => id.startsWith(one)))).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('have messages in the shape of the conventions, within their bounds', () => {
    fc.assert(
      fc.property(anyTalk, (talk) => {
        for (const { spans } of spansOf(talk))
          for (const { attributes } of spans) {
            for (const name of ['gen_ai.input.messages', 'gen_ai.output.messages']) {
              const text = attributes[name];
              if (typeof text !== 'string') continue;
              for (const { role, parts, finish_reason: reason } of JSON.parse(text)) {
                expect(CONVENTIONS.roles).toContain(role);
                if (name === 'gen_ai.output.messages') expect(CONVENTIONS.finishReasons).toContain(reason);
                expect(parts.length).toBeGreaterThan(0);
                for (const part of parts)
                  expect(CONVENTIONS.parts[part.type]?.filter((field) => typeof part[field] !== 'string')).toEqual([]);
              }
            }
          }
      }),
    );
  });
});

test('a turn says what was asked, done and answered', () => {
  const [found] = spansOf(new Talk(1_000_000).turn('list files', 'two files'));
  const [own, tool] = found?.spans ?? [];
  expect(own?.name).toBe('invoke_agent Claude Code');
  expect(own?.attributes).toMatchObject({
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.agent.version': '2.1.0',
    'gen_ai.conversation.id': 'c1',
  });
  expect(JSON.parse(String(own?.attributes['gen_ai.input.messages']))).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'list files' }] },
  ]);
  expect(JSON.parse(String(own?.attributes['gen_ai.output.messages']))).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'tool_call', id: 'c1-m3', name: 'Bash', arguments: 'ls' },
        { type: 'text', content: 'two files' },
      ],
      finish_reason: 'stop',
    },
  ]);
  expect(tool?.attributes).toMatchObject({
    'gen_ai.tool.call.id': 'c1-m3',
    'gen_ai.tool.call.arguments': 'ls',
    'gen_ai.tool.call.result': 'a b',
  });
});

test.each([
  ['failed', 'tool_failed'],
  ['denied', 'denied'],
  ['interrupted', 'interrupted'],
  ['done', null],
] as const)('a tool that is %s has error.type %s', (status, error) => {
  const [found] = spansOf(new Talk(1).turn('a', 'b', { name: 'Bash', status }));
  expect(found?.spans[1]?.error).toBe(error);
});

test('a turn of an agent that ended at work failed', () => {
  const [found] = spansOf(new Talk(1).say('user', 'a').state('working').event({ type: 'cli:exit' }));
  expect(found?.spans[0]?.error).toBe('agent_exited');
});

test('long texts are cut after redaction, and the last parts of an endless turn stay', () => {
  const talk = new Talk(1).say('user', 'x'.repeat(MOST_TEXT_CHARS * 2));
  for (let at = 0; at < 100; at += 1) talk.say('model', `${'y'.repeat(MOST_TEXT_CHARS - 10)} ${at}`);
  const [found] = spansOf(talk.state('idle'));
  const attributes = found?.spans[0]?.attributes ?? {};
  expect(attributes['gen_ai.input.messages']).toContain(`[${MOST_TEXT_CHARS} characters left out]`);
  const [{ parts }] = JSON.parse(String(attributes['gen_ai.output.messages']));
  expect(parts[0].content).toMatch(/^\[\d+ parts left out\]$/);
  expect(parts.at(-1).content).toMatch(/ 99$/);
  expect(String(attributes['gen_ai.output.messages']).length).toBeLessThan(MOST_ATTRIBUTE_CHARS * 1.1);
});

test('a provider that an agent names is one of the conventions', () => {
  const named = EXTRACTORS.flatMap(({ provider }) => provider ?? []);
  expect(named.length).toBeGreaterThanOrEqual(3);
  expect(named.filter((one) => !CONVENTIONS.providers.includes(one))).toEqual([]);
});
