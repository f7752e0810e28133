import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentTree } from '../../../../src-main/contract/chat/agentTree.ts';
import type { SubAgent } from '../../../../src-main/contract/chat/progress.ts';
import { claudeLog } from '../../../../src-main/conversations/extraction/extractors/agents/claude/ownLog.ts';
import { codexLog } from '../../../../src-main/conversations/extraction/extractors/agents/codex/ownLog.ts';
import { geminiLog } from '../../../../src-main/conversations/extraction/extractors/agents/gemini/ownLog.ts';
import type { OwnLog } from '../../../../src-main/conversations/extraction/reconcile/LogMessage.ts';

const at = (second: number): string => `2026-11-25T22:10:${String(second).padStart(2, '0')}.000Z`;

/** A line as Claude Code 2.1.329 writes it. `agent` puts it into a sub-agent's own log. */
const line = (second: number, type: string, content: unknown, more: object = {}, agent?: string): string =>
  JSON.stringify({
    ...{
      isSidechain: agent !== undefined,
      ...(agent && { agentId: agent }),
      type,
      uuid: `${second}`,
      timestamp: at(second),
    },
    ...{ message: { content }, ...more },
  });
const call = (second: number, id: string, description: string, agent?: string): string =>
  line(
    second,
    'assistant',
    [
      {
        type: 'tool_use',
        id,
        name: 'Agent',
        input: { description, prompt: 'Do it', subagent_type: 'general-purpose' },
      },
    ],
    {},
    agent,
  );
const result = (second: number, id: string, toolUseResult: unknown, isError = false, agent?: string): string =>
  line(
    second,
    'user',
    [{ type: 'tool_result', tool_use_id: id, content: 'x', is_error: isError }],
    { toolUseResult },
    agent,
  );
const launched = (second: number, id: string, agentId: string, agent?: string): string =>
  result(second, id, { isAsync: true, status: 'async_launched', agentId }, false, agent);
const notice = (second: number, id: string, status: string, agent?: string): string =>
  line(
    second,
    'user',
    `<task-notification>\n<task-id>x</task-id>\n<tool-use-id>${id}</tool-use-id>\n<status>${status}</status>\n</task-notification>`,
    {},
    agent,
  );

function told(log: OwnLog, lines: readonly string[]): string[] {
  const parser = log.newParser();
  for (const one of lines) parser.feed(one);
  return agentTree(parser.subAgents).map(
    ({ depth, subAgent: { title, state, sinceMs } }) =>
      `${'  '.repeat(depth)}${title} ${state} ${new Date(sinceMs).getUTCSeconds()}`,
  );
}

describe('the sub-agents in Claude Code’s log', () => {
  test.each<[string, string[], string[]]>([
    [
      'end with the result of their call',
      [call(1, 'a', 'Count'), result(5, 'a', { status: 'completed', agentId: 'x' })],
      ['Count done 5'],
    ],
    ['fail with it', [call(1, 'a', 'Count'), result(5, 'a', 'Error', true)], ['Count failed 5']],
    ['work until then', [call(1, 'a', 'Count')], ['Count working 1']],
    ['go on in the background behind it', [call(1, 'a', 'Count'), launched(2, 'a', 'x')], ['Count working 1']],
    [
      'end there with a notice, told twice or not',
      [call(1, 'a', 'Count'), launched(2, 'a', 'x'), notice(7, 'a', 'completed'), notice(9, 'a', 'completed')],
      ['Count done 7'],
    ],
    [
      'stay as they are after a notice of a word that is no state',
      [call(1, 'a', 'Count'), launched(2, 'a', 'x'), notice(7, 'a', 'constructor'), notice(8, 'a', 'napping')],
      ['Count working 1'],
    ],
    [
      'are stopped there',
      [call(1, 'a', 'Count'), launched(2, 'a', 'x'), notice(7, 'a', 'killed')],
      ['Count stopped 7'],
    ],
    [
      'are below the one that started them, in whose own log they are',
      [
        ...[call(1, 'a', 'Outer'), launched(2, 'a', 'agentA'), call(1, 'b', 'Other')],
        ...[call(3, 'c', 'Inner', 'agentA'), launched(4, 'c', 'agentC', 'agentA'), call(5, 'd', 'Innermost', 'agentC')],
        ...[result(8, 'd', { status: 'completed' }, false, 'agentC'), notice(9, 'c', 'failed', 'agentA')],
      ],
      ['Outer working 1', '  Inner failed 9', '    Innermost done 8', 'Other working 1'],
    ],
    [
      'are not ended by a copy of a request',
      [
        ...[call(1, 'a', 'Count'), launched(2, 'a', 'x')],
        line(3, 'api-request-blob', [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }]),
      ],
      ['Count working 1'],
    ],
    [
      'are below it whichever log is read first',
      [call(5, 'd', 'Inner', 'agentA'), call(1, 'a', 'Outer'), launched(2, 'a', 'agentA')],
      ['Outer working 1', '  Inner working 5'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(told(claudeLog, lines)).toEqual(expected);
  });

  test('say nothing that the agent said', () => {
    const parser = claudeLog.newParser();
    for (const one of [call(3, 'c', 'Inner', 'agentA'), notice(9, 'c', 'failed', 'agentA')]) parser.feed(one);
    expect(parser.messages).toEqual([]);
  });
});

test('the sub-agents in Codex’ log are those that it started, and end with a notice', () => {
  const record = (second: number, type: string, payload: object): string =>
    JSON.stringify({ timestamp: at(second), type, payload });
  const spawned = (second: number, id: string, sender: string) =>
    record(second, 'event_msg', {
      type: 'item_completed',
      item: {
        ...{ type: 'CollabAgentToolCall', tool: 'spawn_agent', status: 'completed', sender_thread_id: sender },
        ...{ receiver_agents: [{ thread_id: id, agent_role: 'default' }], prompt: `Do ${id}\nin full` },
        agents_states: { [id]: 'pending_init' },
      },
    });
  const ended = (second: number, id: string, status: unknown) => {
    const text = `<subagent_notification>\n${JSON.stringify({ agent_path: id, status })}\n</subagent_notification>`;
    return record(second, 'response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
  };
  const lines = [
    record(0, 'session_meta', { id: 'main', cwd: '/x', timestamp: at(0) }),
    ...[spawned(1, 'one', 'main'), spawned(2, 'two', 'main'), spawned(3, 'three', 'one')],
    ...[ended(5, 'one', { completed: 'All done.' }), ended(6, 'two', { errored: 'no' }), ended(7, 'four', 'running')],
  ];
  expect(told(codexLog, lines)).toEqual(['Do one done 5', '  Do three working 3', 'Do two failed 6']);
});

describe('the sub-agents in Gemini CLI’s logs', () => {
  const folder = fileURLToPath(new URL('../../../fixtures/agents/own-logs/gemini-sub-agents/', import.meta.url));
  const session = join(folder, 'session-2026-11-26T15-14-b291a9a1.jsonl');
  const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);

  /** The sub-agents' logs, found through the path that the session's log gives. */
  function sides(): { name: string; lines: string[] }[] {
    const place = geminiLog.sideLogs?.(session);
    if (!place) throw new Error('no place is named');
    expect(place.folder).toBe(dirname(session));
    const [inFolder, named] = place.path;
    return readdirSync(place.folder)
      .filter((name) => inFolder?.test(name))
      .flatMap((sub) =>
        readdirSync(join(place.folder, sub))
          .filter((name) => named?.test(name))
          .map((name) => join(sub, name)),
      )
      .sort()
      .map((path) => ({ name: path.split('/').at(-1) ?? '', lines: linesOf(join(place.folder, path)) }));
  }

  /** Returns the known sub-agents after these lines of the session's log and of their own logs. */
  function told(ownLines: readonly string[], sideLines: number, later: readonly string[] = []): string[] {
    const parser = geminiLog.newParser();
    for (const line of ownLines) parser.feed(line);
    for (const { name, lines } of sides()) for (const line of lines.slice(0, sideLines)) parser.feed(line, name);
    for (const line of later) parser.feed(line);
    return parser.subAgents.map(({ title, kind, state }) => [kind, title, state].filter(Boolean).join(': '));
  }

  const own = linesOf(session);
  const before = own.slice(0, 6);

  test('are there as soon as they work, and end with their report', () => {
    expect(told(before, 1)).toEqual(['working', 'working']);
    expect(told(before, 2)).toEqual(['Count the files: working', 'Name the project: working']);
    expect(told(before, 99)).toEqual(['Count the files: done', 'Name the project: done']);
  });

  test('have their kind once their call has ended', () => {
    const all = ['codebase_investigator: Count the files: done', 'generalist: Name the project: done'];
    expect(told(own, 99)).toEqual(all);
    expect(told(own, 0)).toEqual(all);
    expect(told(before, 99, own.slice(6))).toEqual(all);
  });

  test('are stopped where the person has sent another prompt and none has reported, whichever log is read first', () => {
    const prompt = JSON.stringify({
      id: 'p',
      timestamp: '2026-11-26T15:20:00.000Z',
      type: 'user',
      content: [{ text: 'stop' }],
    });
    const stopped = ['Count the files: stopped', 'Name the project: stopped'];
    expect(told(before, 4, [prompt])).toEqual(stopped);
    expect(told([...before, prompt], 4)).toEqual(stopped);
    expect(told([...before, prompt], 99)).toEqual(['Count the files: done', 'Name the project: done']);
  });

  test('say nothing that the agent said', () => {
    const parser = geminiLog.newParser();
    for (const { name, lines } of sides()) for (const line of lines) parser.feed(line, name);
    expect([parser.messages, parser.session.id]).toEqual([[], null]);
  });
});

test('a tree has every sub-agent once, whatever their parents are (law)', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const one = fc.record({ id, parentId: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'gone')) });
  fc.assert(
    fc.property(fc.uniqueArray(one, { selector: (own) => own.id }), (all) => {
      const subAgents = all.map(
        (own): SubAgent => ({
          ...own,
          ...{ title: '', kind: '', state: 'working', startedMs: 0, sinceMs: 0 },
        }),
      );
      const rows = agentTree(subAgents);
      expect(rows.map(({ subAgent }) => subAgent.id).toSorted()).toEqual(all.map((own) => own.id).toSorted());
      for (const [place, { depth }] of rows.entries())
        expect(depth).toBeLessThanOrEqual((rows[place - 1]?.depth ?? -1) + 1);
    }),
  );
});
