import fc from 'fast-check';
import type {
  ChatEvent,
  ChatKind,
  ChatLine,
  ChatMessage,
  Conversation,
} from '../../../../src-main/contract/chat/chat.ts';
import type { ChatDocument } from '../../../../src-main/conversations/extraction/exporters/ChatDocument.ts';

/** 2026-11-21 09:00 UTC. */
export const START_MS = Date.UTC(2026, 10, 21, 9);

let made = 0;

export function message(kind: ChatKind, text: string, change: Partial<ChatMessage> = {}): ChatMessage {
  made += 1;
  return {
    id: `m${made}`,
    terminalId: 't1',
    conversationId: 'c1',
    order: made,
    kind,
    text,
    final: true,
    startedMs: START_MS + made * 1000,
    updatedMs: START_MS + made * 1000,
    provenance: { rawStart: 0, rawEnd: 9, seq: 1, extractor: 'generic', extractorVersion: 1, confidence: 1 },
    actor: 'user',
    origins: ['screen'],
    ...change,
  };
}

export function event(type: ChatEvent['type']): ChatEvent {
  made += 1;
  const whose = { terminalId: 't1', conversationId: 'c1', order: made };
  return { type, id: `e${made}`, ...whose, atMs: START_MS + made * 1000, at: 7 };
}

export function documentOf(lines: readonly ChatLine[], change: Partial<Conversation> = {}): ChatDocument {
  const conversation: Conversation = {
    id: 'c1',
    terminalId: 't1',
    agent: 'generic',
    label: 'Agent',
    title: 'Fix the berth test at low water',
    cwd: '/home/u/src/harbour',
    blockId: null,
    parentId: null,
    resumeId: null,
    startedMs: START_MS,
    updatedMs: START_MS + 3_600_000,
    endedMs: null,
    messages: lines.length,
    verified: 0,
    verifiable: 0,
    state: 'idle',
    evidence: null,
    ...change,
  };
  return { conversation, lines, exportedMs: START_MS, timeZone: 'UTC', redactions: 0 };
}

/** Text that could open or close an element in HTML, Markdown or a terminal. */
const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '</pre></code></div></details></article>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--',
  '-->',
  ']]>',
  '<style>*{display:none}</style>',
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](http://track.example/a.png)',
  '<http://a.example/?"onclick=alert(1)>',
  '[a]: javascript:alert(1)\n\n[a]',
  '```',
  '````html',
  '~~~',
  '`',
  '``',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '# heading',
  '### User · 09:00:00',
  '> ',
  '- ',
  '1. ',
  '\n\n',
  '\n',
  '    ',
  '\t',
  '***',
  '---',
  '===',
  '&lt;',
  '&#x3c;script&#x3e;',
  '\\',
  '\\<',
  '\u001b[31m',
  '\u009b31m',
  '\u202egnp.exe',
  '\u{e0041}',
  '\u0000',
  '\r',
  '{{constructor}}',
  '$&',
  '$1',
);

/** Any text, with every kind of hostile text in it. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      hostile,
      fc.string({ maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.lorem({ maxCount: 4 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));

const KINDS = ['welcome', 'user', 'model', 'command', 'permission', 'notice', 'exit'] as const;
const tool = fc.record(
  { name: anyText, input: anyText, output: anyText, status: fc.constantFrom('running', 'done', 'failed', 'denied') },
  { requiredKeys: ['name'] },
);

export const anyLine: fc.Arbitrary<ChatLine> = fc.oneof(
  fc.tuple(fc.constantFrom(...KINDS), anyText, anyText).map(([kind, text, actor]) => message(kind, text, { actor })),
  fc
    .tuple(anyText, tool)
    .map(([text, { name, ...rest }]) => message('toolCall', text, { tool: { name, ...rest } as ChatMessage['tool'] })),
  fc.tuple(anyText, anyText).map(([text, logged]) => message('model', text, { log: { text: logged } })),
  fc
    .constantFrom('cli:newSession', 'cli:clear', 'cli:compact', 'screenCleared')
    .map((type) => event(type as ChatEvent['type'])),
);

export const anyDocument: fc.Arbitrary<ChatDocument> = fc
  .tuple(fc.array(anyLine, { minLength: 1, maxLength: 6 }), anyText, anyText)
  .map(([lines, title, cwd]) => documentOf(lines, { title, cwd, label: title }));
