import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeLog } from '../../../../src-main/conversations/extraction/extractors/agents/claude/ownLog.ts';
import { codexLog } from '../../../../src-main/conversations/extraction/extractors/agents/codex/ownLog.ts';
import { geminiLog } from '../../../../src-main/conversations/extraction/extractors/agents/gemini/ownLog.ts';
import { LogFold } from '../../../../src-main/conversations/extraction/reconcile/LogFold.ts';
import type { OwnLog } from '../../../../src-main/conversations/extraction/reconcile/LogMessage.ts';
import { PlanFold, wholeList } from '../../../../src-main/conversations/extraction/reconcile/PlanFold.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';

let uuids = 0;

/** A tool call and its result, as in Claude Code's log. */
function claudeCall(name: string, input: object, result: object | null = {}, isError = false): string[] {
  uuids += 1;
  const id = `toolu_${uuids}`;
  const timestamp = '2026-11-22T02:59:33.000Z';
  const output = 'output' in (result ?? {}) ? (result as { output: string }).output : 'done';
  return [
    { type: 'assistant', uuid: `a${uuids}`, timestamp, message: { content: [{ type: 'tool_use', id, name, input }] } },
    {
      ...{ type: 'user', uuid: `u${uuids}`, timestamp, toolUseResult: result },
      message: { content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }] },
    },
  ].map((record) => JSON.stringify(record));
}

const todo = (content: string, status: string) => ({ content, status, activeForm: `${content}…` });
const created = (id: string, subject: string) =>
  claudeCall('TaskCreate', { subject, description: '' }, { task: { id, subject } });
const updated = (taskId: string, more: object) => claudeCall('TaskUpdate', { taskId, ...more }, { success: true });

function codexCall(plan: unknown, output = 'Plan updated'): string[] {
  uuids += 1;
  const call_id = `call_${uuids}`;
  const args = JSON.stringify({ explanation: 'why', plan });
  return [
    { type: 'function_call', name: 'update_plan', arguments: args, call_id },
    { type: 'function_call_output', call_id, output },
  ].map((payload) => JSON.stringify({ timestamp: '2026-11-22T02:59:33.000Z', type: 'response_item', payload }));
}

function geminiTurn(id: string, calls: readonly object[]): string {
  return JSON.stringify({ id, timestamp: '2026-11-22T02:59:33.000Z', type: 'gemini', content: '', toolCalls: calls });
}

const geminiCall = (id: string, todos: unknown, status?: string) => ({
  ...{ id, name: 'write_todos', displayName: 'WriteTodos', args: { todos } },
  ...(status && { status }),
});

function planIn(log: OwnLog, lines: readonly string[]): string[] | null {
  const parser = log.newParser();
  for (const line of lines) parser.feed(line);
  return shown(parser.plan);
}

function shown(plan: ReturnType<OwnLog['newParser']>['plan']): string[] | null {
  return plan && [...plan.items.map(({ text, state }) => `${state} ${text}`), ...(plan.isPart ? ['…'] : [])];
}

describe('the plan in an agent’s own log', () => {
  test.each<[string, OwnLog, string[], string[] | null]>([
    ['is absent before the first list', claudeLog, [], null],
    [
      'is the last whole list',
      claudeLog,
      [
        ...claudeCall('TodoWrite', { todos: [todo('one', 'pending')] }),
        ...claudeCall('TodoWrite', { todos: [todo('one', 'completed'), todo('two', 'in_progress')] }),
      ],
      ['done one', 'active two'],
    ],
    [
      'is empty after it was cleared',
      claudeLog,
      [...claudeCall('TodoWrite', { todos: [todo('one', 'pending')] }), ...claudeCall('TodoWrite', { todos: [] })],
      [],
    ],
    [
      'keeps the list before a call that failed',
      claudeLog,
      [
        ...claudeCall('TodoWrite', { todos: [todo('one', 'pending')] }),
        ...claudeCall('TodoWrite', { todos: [todo('two', 'pending')] }, null, true),
      ],
      ['open one'],
    ],
    [
      'follows tasks that are created, changed, renamed and deleted',
      claudeLog,
      [
        ...['1', '2', '3'].flatMap((id) => created(id, `task ${id}`)),
        ...updated('1', { status: 'completed' }),
        ...updated('2', { status: 'in_progress', subject: 'second' }),
        ...updated('3', { status: 'deleted' }),
        ...updated('2', { addBlocks: ['1'] }),
      ],
      ['done task 1', 'active second'],
    ],
    [
      'takes the id of a task from the words of an older version',
      claudeLog,
      [
        ...claudeCall('TaskCreate', { subject: 'one' }, { output: 'Task #7 created successfully: one' }),
        ...updated('7', { status: 'completed' }),
      ],
      ['done one'],
    ],
    [
      'is a part after a change of a task that nobody saw created',
      claudeLog,
      [...created('1', 'one'), ...updated('9', { status: 'completed' })],
      ['open one', '…'],
    ],
    [
      'is known again from a list of all tasks',
      claudeLog,
      [
        ...created('1', 'one'),
        ...updated('2', { status: 'in_progress' }),
        ...claudeCall(
          'TaskList',
          {},
          {
            tasks: [
              { id: '1', subject: 'one', status: 'completed', blockedBy: [] },
              { id: '2', subject: 'of a sub-agent', status: 'pending', blockedBy: ['1'] },
            ],
          },
        ),
      ],
      ['done one', 'open of a sub-agent'],
    ],
    [
      'is a part where a state has another word',
      claudeLog,
      claudeCall('TodoWrite', { todos: [todo('one', 'pending')] }).concat(
        claudeCall('TodoWrite', { todos: [todo('one', 'paused')] }),
      ),
      ['open one', '…'],
    ],
    [
      'is Codex’s last plan that was taken',
      codexLog,
      [
        ...codexCall([
          { step: 'look', status: 'completed' },
          { step: 'mend', status: 'in_progress' },
        ]),
        ...codexCall([{ step: 'x', status: 'pending' }], 'failed to parse function arguments'),
      ],
      ['done look', 'active mend'],
    ],
    [
      'is Gemini’s newest list, also when an older message is written again',
      geminiLog,
      [
        geminiTurn('m1', [geminiCall('c1', [{ description: 'one', status: 'in_progress' }])]),
        geminiTurn('m1', [geminiCall('c1', [{ description: 'one', status: 'in_progress' }], 'success')]),
        geminiTurn('m2', [geminiCall('c2', [{ description: 'one', status: 'cancelled' }], 'success')]),
        geminiTurn('m1', [geminiCall('c1', [{ description: 'one', status: 'in_progress' }], 'success')]),
      ],
      ['dropped one'],
    ],
  ])('%s', (_, log, lines, expected) => {
    expect(planIn(log, lines)).toEqual(expected);
  });

  test('is the same when another parser continues at any line', () => {
    const lines = [
      ...created('1', 'one'),
      ...claudeCall('TodoWrite', { todos: [todo('a', 'pending')] }),
      ...created('2', 'two'),
      ...updated('2', { status: 'completed' }),
      ...updated('3', { status: 'completed' }),
    ];
    for (let at = 0; at <= lines.length; at += 1) {
      const fold = new LogFold();
      const first = claudeLog.newParser({ fold, state: {} });
      for (const line of lines.slice(0, at)) first.feed(line);
      const second = claudeLog.newParser({ fold, state: JSON.parse(JSON.stringify(first.state)) });
      for (const line of lines.slice(at)) second.feed(line);
      expect(shown(second.plan), `continued at line ${at}`).toEqual(planIn(claudeLog, lines));
    }
  });

  test('survives any arguments and any state, and never invents an item', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (args, state) => {
        const fold = new PlanFold({ write: wholeList('list', 'text') }, state);
        const before = fold.plan?.items ?? [];
        fold.called('1', 'write', args);
        fold.called('2', 'toString', args);
        fold.answered('1', {});
        fold.answered('2', {});
        const list = (args as { list?: unknown } | null)?.list;
        const words = Array.isArray(list) ? list.map((one) => one?.text) : [];
        for (const item of fold.plan?.items ?? [])
          expect(before.includes(item) || words.includes(item.text)).toBe(true);
      }),
      fuzzRuns(1000),
    );
  });
});
