import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent, ChatLine, Conversation } from '../../src-main/contract/chat/chat.ts';
import { chatPlan, oneLine, type SubAgent } from '../../src-main/contract/chat/progress.ts';
import { ConversationList } from '../../src-main/conversations/extraction/conversations.ts';
import { hookEvidence } from '../../src-main/conversations/extraction/status/hookFields.ts';
import { statusEvidence } from '../../src-main/conversations/extraction/status/statusOsc.ts';
import { cutImported } from '../../src-main/past/cutImported.ts';
import { redactChat } from '../../src-main/redaction/redactChat.ts';
import { ChatWriter } from '../support/chatRecords.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const of = (length: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...LETTERS), { minLength: length, maxLength: length }).map((all) => `${all.join('')}aZ7`);

/** A text and the secret at its end. */
const SECRETS: Record<string, fc.Arbitrary<readonly [text: string, secret: string]>> = {
  'a token': of(33).map((value) => [`use ghp_${value}`, `ghp_${value}`]),
  'a key of a service': of(40).map((value) => [`with sk-ant-api03-${value}`, `sk-ant-api03-${value}`]),
  'a value with a name': of(24).map((value) => [`export API_KEY="${value}"`, value]),
  'a bearer': of(40).map((value) => [`curl -H 'Authorization: Bearer ${value}'`, value]),
  'a password in an address': of(24).map((value) => [`psql postgres://ada:${value}@db.example/app`, value]),
  'an option': of(20).map((value) => [`docker login -u ada -p ${value}`, value]),
  'a cookie': of(30).map((value) => [`curl -b 'sid=${value}' https://a.example`, value]),
};

/** Ways in which a text is cut before anything looks for its secrets: the text as it is kept, in a line of a conversation. */
const CUTS: Record<string, { limit: number; kept(text: string): Partial<ChatEvent> | { text: string } }> = {
  'an item of a plan': {
    limit: 500,
    kept: (text) => ({
      type: 'planChanged',
      plan: chatPlan({ items: [{ text, state: 'open' }], isPart: false }, 'log'),
    }),
  },
  'a sub-agent': { limit: 500, kept: (text) => ({ type: 'subAgentChanged', subAgent: helper(oneLine(text)) }) },
  'what a hook reported': {
    limit: 200,
    kept: (text) => ({ type: 'stateChanged', state: 'working', evidence: spoken(hookEvidence('working', 'x', text)) }),
  },
  'what a status sequence reported': {
    limit: 200,
    kept: (text) => ({
      type: 'stateChanged',
      state: 'working',
      evidence: spoken(statusEvidence(`state=working;${text}`)),
    }),
  },
  'an imported output': { limit: 100_000, kept: (text) => ({ text: cutImported(text) }) },
  'a title': { limit: 120, kept: (text) => ({ text }) },
};

function spoken(evidence: { rule: string; line: string } | null): ChatEvent['evidence'] {
  return { by: 'hook', rule: evidence?.rule ?? '', line: evidence?.line ?? '' };
}

function helper(title: string): SubAgent {
  return { id: 's', parentId: null, title, kind: '', state: 'done', startedMs: 0, sinceMs: 0 };
}

function exported(kept: Partial<ChatEvent> | { text: string }): string {
  const chat = new ChatWriter('t1', 'c1');
  chat.event('cli:newSession', { agent: 'claude' });
  if ('text' in kept) chat.say('user', kept.text);
  else chat.event(kept.type ?? 'stateChanged', kept);
  const list = new ConversationList(() => 'Claude Code');
  let conversation: Conversation | undefined;
  for (const line of chat.lines as ChatLine[]) conversation = list.apply(line);
  return conversation ? JSON.stringify(redactChat(conversation, chat.lines)) : '';
}

describe.each(Object.entries(CUTS))('%s that was cut', (_, { limit, kept }) => {
  test.each(Object.entries(SECRETS))('gives an export no beginning of %s', (_kind, secret) => {
    fc.assert(
      fc.property(secret, fc.integer({ min: -4, max: 70 }), ([text, value], back) => {
        const before = 'word '.repeat(limit / 5 + 2).slice(0, Math.max(0, limit - text.length + value.length - back));
        const told = exported(kept(`${before.slice(0, -1)} ${text}`));
        for (let at = 0; at + 8 <= value.length; at += 1) expect(told).not.toContain(value.slice(at, at + 8));
      }),
      fuzzRuns(40),
    );
  });
});
