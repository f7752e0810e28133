import type { TurnCommand } from '../contract/changes.ts';
import type { ChatLine, ChatTool } from '../contract/chat/chat.ts';
import type { TurnRange } from './turnsOf.ts';

/** Names of tools that run a command line, as agents call them. */
const RUNS = /(?:^|[^a-z])(?:bash|shell|sh|exec|run|ran|terminal|command)(?:[^a-z]|$)/i;
const MAX_TEXT_CHARS = 1_000;

interface PromptIds {
  readonly from: string | null;
  readonly to: string | null;
}

/** Lists the commands that an agent's tools ran between two prompts, from the conversation. Without `from` it begins at the start, without `to` it goes to the end. */
export function toolCommands(lines: readonly ChatLine[], { from, to }: PromptIds): TurnCommand[] {
  const orderOf = (id: string | null) => (id === null ? undefined : lines.find((line) => line.id === id)?.order);
  const first = orderOf(from) ?? Number.NEGATIVE_INFINITY;
  const last = orderOf(to) ?? Number.POSITIVE_INFINITY;
  return lines.flatMap((line) => {
    if (!('kind' in line) || line.kind !== 'toolCall' || !line.tool || line.replayOf !== undefined) return [];
    if (line.order < first || line.order >= last || !RUNS.test(line.tool.name)) return [];
    const text = (line.tool.input ?? '').slice(0, MAX_TEXT_CHARS);
    if (text === '') return [];
    const tests = countTests(line.tool.output ?? '');
    return [{ text, status: statusOf(line.tool), exitCode: null, blockId: null, terminalId: line.terminalId, tests }];
  });
}

/** Lists the commands of a turn, or of all turns for null. The list is empty if the prompt of the turn was not seen. */
export function turnTools(
  lines: readonly ChatLine[],
  ranges: readonly TurnRange[],
  turn: number | null,
): TurnCommand[] {
  if (turn === null) return toolCommands(lines, { from: null, to: null });
  const from = ranges.find((one) => one.turn === turn)?.begin.promptId ?? null;
  if (from === null) return [];
  const to = ranges.find((one) => one.turn > turn && one.begin.promptId !== null)?.begin.promptId ?? null;
  return toolCommands(lines, { from, to });
}

function statusOf({ status }: ChatTool): TurnCommand['status'] {
  if (status === 'running' || status === 'done' || status === 'failed') return status;
  return status === undefined ? 'unknown' : 'failed';
}

/**
 * Totals of test runners: "12 passed", "1 failed", "12 passing", "ℹ pass 12", "12 pass". A count ends there or before another one, so that "3 failed
 * attempts" does not count. The last one of each kind counts.
 */
const COUNT_END = String.raw`(?=\s*(?:$|[,;|(=!.]|in \d))`;
const PASSED = [
  new RegExp(String.raw`(\d+) (?:passed|passing)\b${COUNT_END}`, 'gm'),
  /^[#ℹ] pass (\d+)$/gm,
  /^ *(\d+) pass$/gm,
];
const FAILED = [
  new RegExp(String.raw`(\d+) (?:failed|failing)\b${COUNT_END}`, 'gm'),
  /^[#ℹ] fail (\d+)$/gm,
  /^ *(\d+) fail$/gm,
];

/** Returns null if the output counts no tests; an exit code proves nothing. Counts of files and of suites are left out. */
export function countTests(output: string): TurnCommand['tests'] {
  const lines = output.split('\n').filter((line) => !/^\s*(?:Test Files|Test Suites|Suites)\b/.test(line));
  const text = lines.join('\n');
  const passed = lastCount(text, PASSED);
  const failed = lastCount(text, FAILED);
  return passed === null && failed === null ? null : { passed: passed ?? 0, failed: failed ?? 0 };
}

function lastCount(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const last = [...text.matchAll(pattern)].at(-1)?.[1];
    if (last !== undefined) return Number(last);
  }
  return null;
}
