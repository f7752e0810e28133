import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src-main/contract/chat/chat.ts';
import { OWN_LOGS } from '../../../../src-main/conversations/extraction/extractors/agents/logs.ts';
import type { LogMessage } from '../../../../src-main/conversations/extraction/reconcile/LogMessage.ts';
import { reconcile } from '../../../../src-main/conversations/extraction/reconcile/reconcile.ts';
import { bareText } from '../../../../src-main/conversations/extraction/reconcile/sameText.ts';
import { chatOfCast } from '../../../support/chatOfCast.ts';

const FOLDER = new URL('../../../fixtures/agents/', import.meta.url);

function logOf(name: string): readonly LogMessage[] {
  const parser = OWN_LOGS.find(({ agent }) => name.startsWith(agent))?.newParser();
  for (const line of readFileSync(new URL(`own-logs/${name}`, FOLDER), 'utf8').split('\n')) parser?.feed(line);
  return parser?.messages ?? [];
}

function isSaid({ kind }: { kind: string }): boolean {
  return kind === 'user' || kind === 'model';
}

describe('a recorded screen and the log of the same run', () => {
  test.each([
    ['claude-2.1.329-default-100x30.cast', ['claude-48afafea.jsonl', 'claude-075e84a5.jsonl']],
    ['claude/claude-2.1.329-hooks-100x30.cast', ['claude-bfdb401f.jsonl']],
  ])('everything that was said in %s is verified, and nothing is added', (cast, logs) => {
    const { session } = chatOfCast(new URL(cast, FOLDER), 'claude');
    const ids = [...new Set(session.messages.map(({ conversationId }) => conversationId))];
    for (const [at, name] of logs.entries()) {
      const own = session.messages.filter(({ conversationId }) => conversationId === ids[at]);
      const log = logOf(name);
      const changed = reconcile(own, log, { origin: 'log', agent: 'claude', fromMs: 0, nowMs: 1, isEnded: true });
      const verified = changed.filter((message: ChatMessage) => isSaid(message) && message.verified);
      expect(verified.map(({ text }) => bareText(text))).toEqual(log.filter(isSaid).map(({ text }) => bareText(text)));
      expect(changed.filter(({ origins }) => !origins.includes('screen'))).toEqual([]);
      expect(changed.filter(({ verified: is }) => is === false)).toEqual([]);
    }
  });
});
