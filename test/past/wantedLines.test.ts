import { expect, test } from 'vitest';
import { claude } from '../../src-main/past/agents/claude.ts';
import { codex } from '../../src-main/past/agents/codex.ts';
import type { PastAgent } from '../../src-main/past/agents/PastAgent.ts';

/** Says which of these lines the import parses. */
function wanted({ logs: [main] }: PastAgent, lines: readonly string[]): string[] {
  return lines.filter((line) => main?.log.form === 'lines' && main.log.isWanted?.(line) !== false);
}

test('the lines of Claude Code that have messages, titles or times are parsed, with or without a space', () => {
  const lines = ['user', 'assistant', 'summary', 'ai-title', 'custom-title'].flatMap((type) => [
    `{"type":"${type}"}`,
    `{"uuid": "a", "type": "${type}"}`,
  ]);
  const turn = '{"type":"system","subtype":"turn_duration","durationMs":1}';
  expect(wanted(claude, [...lines, turn])).toEqual([...lines, turn]);
  const needless = ['{"type":"progress"}', '{"type": "file-history-snapshot"}', '{"type":"system","subtype":"info"}'];
  expect(wanted(claude, needless)).toEqual([]);
});

test('the lines of Codex with instructions and reasoning are not parsed, all others are', () => {
  const lines = [
    '{"type":"session_meta","payload":{}}',
    '{"type":"event_msg","payload":{"type":"token_count"}}',
    '{"type":"response_item","payload":{"type":"message","role":"user"}}',
  ];
  expect(wanted(codex, lines)).toEqual(lines);
  const needless = [
    '{"type":"response_item","payload":{"type":"additional_tools"}}',
    '{"type":"response_item","payload":{"type":"message","role":"developer"}}',
    '{"type":"world_state","payload":{}}',
    '{"type":"response_item","payload":{"type":"reasoning","encrypted_content":"AAAA"}}',
  ];
  expect(wanted(codex, needless)).toEqual([]);
});
