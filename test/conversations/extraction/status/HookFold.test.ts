import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOOK_SOURCES } from '../../../../src-main/conversations/extraction/extractors/agents/hooks.ts';
import { type Fields, parseObject } from '../../../../src-main/conversations/extraction/reconcile/jsonFields.ts';
import { AgentStatusJudge } from '../../../../src-main/conversations/extraction/status/AgentStatusJudge.ts';
import { HookFold } from '../../../../src-main/conversations/extraction/status/HookFold.ts';
import type { HookPiece, HookSource } from '../../../../src-main/conversations/extraction/status/HookSource.ts';

const RECORDED = new URL('../../../fixtures/agents/own-logs/claude-bfdb401f-hooks.jsonl', import.meta.url);
const TRUTH = JSON.parse(
  readFileSync(new URL('../../../fixtures/agents/claude/truth.json', import.meta.url), 'utf8'),
) as {
  turns: { user: string; model: { text: string }[] }[];
};
const source = (agent: string) => HOOK_SOURCES.find((one) => one.agent === agent) as HookSource;

function recorded(): Fields[] {
  return readFileSync(RECORDED, 'utf8')
    .split('\n')
    .flatMap((line): Fields[] => {
      const fields = parseObject(line);
      return fields ? [fields] : [];
    });
}

function turn(user: string): string[] {
  const found = TRUTH.turns.find((one) => one.user === user);
  return [`user: ${user}`, ...(found?.model.map(({ text }) => `model: ${text}`) ?? [])];
}

describe('the hooks of a recorded run', () => {
  test('tell what was said, word for word, the text before the call it led to', () => {
    const fold = new HookFold();
    for (const payload of recorded()) {
      const { piece } = source('claude').read(String(payload.hook_event_name), payload);
      if (piece) fold.take(piece, 0);
    }
    const said = fold.messages.map(({ kind, text, tool }) =>
      tool ? `tool: ${tool.subject} → ${tool.output} (${tool.status})` : `${kind}: ${text}`,
    );
    const [prompt, before, after] = turn('run the printf command');
    expect(said).toEqual([
      ...turn('hello there'),
      prompt,
      before,
      'tool: printf "alpha\\nbeta\\n" && touch made-by-agent.txt → alpha\nbeta (done)',
      after,
      ...turn('print a long list'),
    ]);
  });

  test('tell the state at each step', () => {
    const judge = new AgentStatusJudge(0);
    const states = recorded().flatMap((payload, at) => {
      const { evidence } = source('claude').read(String(payload.hook_event_name), payload);
      return evidence && judge.note(evidence, at + 1) ? [judge.status] : [];
    });
    const changes = states.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1]);
    expect(changes).toEqual([
      'starting',
      'working',
      'idle',
      'working',
      'needs_approval',
      'working',
      'idle',
      'working',
      'idle',
      'exited',
    ]);
    expect(states.find(({ state }) => state === 'needs_approval')?.asks).toBe(
      'Bash: printf "alpha\\nbeta\\n" && touch made-by-agent.txt',
    );
  });

  test('tell the session and where its log is', () => {
    const [first = {}] = recorded();
    expect(source('claude').read('SessionStart', first).session).toEqual({
      id: 'bfdb401f-02e6-419c-9444-93df80308658',
      logPath: expect.stringMatching(/\.claude\/projects\/-home-u-repos-ws4\/bfdb401f-.*\.jsonl$/),
    });
  });

  test('a stream without its pieces, only its end, is told whole', () => {
    const fold = new HookFold();
    fold.take({ type: 'prompt', text: 'list' }, 0);
    fold.take({ type: 'delta', id: 'a', index: 0, text: 'one\n' }, 1);
    fold.take({ type: 'said', text: 'one\n\ntwo' }, 2);
    fold.take({ type: 'prompt', text: 'again' }, 3);
    fold.take({ type: 'said', text: 'one\n\ntwo' }, 4);
    expect(fold.messages.map(({ text }) => text)).toEqual(['list', 'one\n\ntwo', 'again', 'one\n\ntwo']);
  });

  test('pieces that come in any order make the same text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (texts, picks) => {
          const pieces = texts.map((text, index): HookPiece => ({ type: 'delta', id: 'a', index, text }));
          const fold = new HookFold();
          while (pieces.length > 0) {
            const [piece] = pieces.splice(Number(picks.next().value) % pieces.length, 1);
            if (piece) fold.take(piece, 0);
          }
          expect(fold.messages.map(({ text }) => text)).toEqual([texts.join('')]);
        },
      ),
    );
  });

  test.each(HOOK_SOURCES)('whatever $agent sends, reading it never throws', (one) => {
    const event = fc.constantFrom(...one.events.map(({ name }) => name), 'Unknown');
    fc.assert(
      fc.property(
        event,
        fc.dictionary(
          fc.constantFrom(
            'prompt',
            'tool_name',
            'tool_input',
            'tool_response',
            'message_id',
            'index',
            'delta',
            'reason',
            'details',
            'source',
          ),
          fc.oneof(fc.jsonValue(), fc.constant({ toString: 1 }), fc.constant(1e9)) as fc.Arbitrary<unknown>,
        ),
        (name, payload) => {
          const { piece } = one.read(name, payload);
          if (piece) new HookFold().take(piece, 0);
        },
      ),
    );
  });
});

test.each([
  ['codex', 'UserPromptSubmit', { prompt: 'go' }, 'working'],
  ['codex', 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } }, 'needs_approval'],
  ['codex', 'Stop', { last_assistant_message: 'Done.' }, 'idle'],
  ['gemini', 'BeforeAgent', { prompt: 'go' }, 'working'],
  ['gemini', 'Notification', { notification_type: 'ToolPermission', message: 'Run ls?' }, 'needs_approval'],
  ['gemini', 'Notification', { notification_type: 'Other' }, undefined],
  ['gemini', 'AfterAgent', { prompt_response: 'Done.' }, 'idle'],
  ['gemini', 'SessionEnd', { reason: 'clear' }, undefined],
  ['claude', 'SessionEnd', { reason: 'clear' }, undefined],
  ['claude', 'PreToolUse', { tool_name: 'AskUserQuestion' }, 'needs_input'],
])('%s %s is told as %o → %s', (agent, event, payload, state) => {
  expect(source(agent).read(event, payload).evidence?.state).toBe(state);
});
