import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { leadText } from '../../../src-main/contract/chat/leadText.ts';
import { align } from './align.ts';
import type { Expected, ExpectedConversation, ExpectedMessage, ExpectedState } from './expected.ts';
import type { ReadChat, ReadConversation } from './readChat.ts';
import { isBeginningOf, meaningOf, plainOf, squeeze } from './texts.ts';

/** An expected "working" begins at the model's request, but the agent shows it right after Return: up to 480 ms earlier in recordings. */
const ASKED_EARLIER_MS = 500;
/** Allowed delay of a state, ms. */
const STATE_LATE_MS = 500;

/** Counts of one recording, or sums over several. */
export interface Score {
  /** Messages of the person and the model. */
  said: number;
  found: number;
  /** The text as the screen gave it is right. */
  textEqual: number;
  /** The text that a reader sees first is right: the screen's, or the own log's where that differs. */
  leadEqual: number;
  markdownEqual: number;
  invented: number;
  duplicated: number;
  tools: number;
  toolsFound: number;
  /** Calls with the right end and without invented output. */
  toolsPaired: number;
  toolsInvented: number;
  states: number;
  statesOnTime: number;
}

export interface Comparison extends Score {
  /** One line per fault. */
  readonly faults: readonly string[];
}

/** Compares a recorded conversation with the expected one. */
export function compare(expected: Expected, recorded: ReadChat): Comparison {
  const faults: string[] = [];
  const score = emptyScore();
  const { conversations } = recorded;
  if (conversations.length !== expected.conversations.length) {
    faults.push(`${conversations.length} conversations in place of ${expected.conversations.length}`);
  }
  const rest = conversations.slice(expected.conversations.length);
  for (const [at, wanted] of expected.conversations.entries()) {
    compareConversation({ wanted, got: conversations[at] ?? NOTHING, score, faults });
  }
  for (const got of rest) compareConversation({ wanted: NOBODY, got, score, faults });
  for (const state of expected.states) compareState({ state, expected, recorded, score, faults });
  return { ...score, faults };
}

export function emptyScore(): Score {
  const texts = { said: 0, found: 0, textEqual: 0, leadEqual: 0, markdownEqual: 0, invented: 0, duplicated: 0 };
  return { ...texts, tools: 0, toolsFound: 0, toolsPaired: 0, toolsInvented: 0, states: 0, statesOnTime: 0 };
}

/** Whether everything was found and nothing was invented or duplicated. */
export function isPerfect({ said, found, invented, duplicated, tools, toolsFound, toolsInvented }: Score): boolean {
  return said === found && invented === 0 && duplicated === 0 && tools === toolsFound && toolsInvented === 0;
}

export function addScores(a: Score, b: Score): Score {
  const sums = emptyScore();
  for (const key of Object.keys(sums) as (keyof Score)[]) sums[key] = a[key] + b[key];
  return sums;
}

const NOTHING: ReadConversation = { id: '', agent: '', isAfterClear: false, messages: [] };
const NOBODY: ExpectedConversation = { agent: '', isAfterClear: false, messages: [] };

const SAID: readonly ChatMessage['kind'][] = ['user', 'model', 'toolCall'];

interface Tally {
  readonly score: Score;
  readonly faults: string[];
}

function compareConversation({
  wanted,
  got,
  ...tally
}: Tally & { wanted: ExpectedConversation; got: ReadConversation }): void {
  const { score, faults } = tally;
  if (wanted.agent !== got.agent) faults.push(`the conversation is ${got.agent || 'nobody'}'s, not ${wanted.agent}'s`);
  if (wanted.isAfterClear !== got.isAfterClear)
    faults.push('the conversation and the one before /clear are not linked');
  if (wanted.resumeId !== undefined && wanted.resumeId !== got.resumeId)
    faults.push(`missing resume id: ${wanted.resumeId}, not ${got.resumeId ?? 'none'}`);
  const talk = got.messages.filter((one) => SAID.includes(one.kind) && one.replayOf === undefined);
  const { pairs, missing, extra } = align(wanted.messages, talk);
  for (const { kind } of wanted.messages) score[kind === 'toolCall' ? 'tools' : 'said'] += 1;
  for (const pair of pairs) {
    if (pair.wanted.kind === 'toolCall') compareTool({ ...pair, all: got.messages, ...tally });
    else compareText({ ...pair, ...tally });
  }
  for (const { kind, text } of missing) faults.push(`missing ${kind}: ${quote(text)}`);
  const known = new Set(wanted.messages.map(({ kind, text }) => `${kind} ${plainOf(text)}`));
  for (const { kind, text, tool } of extra) {
    const isTwice = known.has(`${kind} ${plainOf(text)}`);
    score[kind === 'toolCall' ? 'toolsInvented' : isTwice ? 'duplicated' : 'invented'] += 1;
    faults.push(
      `${isTwice ? 'twice' : 'invented'} ${kind}: ${quote(tool ? `${tool.name} ${tool.input ?? ''}` : text)}`,
    );
  }
}

function compareText({ wanted, got, score, faults }: Tally & { wanted: ExpectedMessage; got: ChatMessage }): void {
  score.found += 1;
  const isCut = wanted.sentChars !== undefined;
  const [mine, theirs] = [plainOf(wanted.text), plainOf(got.text)];
  if (isCut ? isBeginningOf(leadText(got), wanted.text) : mine === plainOf(leadText(got))) score.leadEqual += 1;
  if (isCut ? !isBeginningOf(got.text, wanted.text) : mine !== theirs) {
    faults.push(`${wanted.kind} text differs: ${firstDifference(mine, theirs)}`);
    return;
  }
  score.textEqual += 1;
  const [meant, shown] = [meaningOf(wanted.text), meaningOf(leadText(got))];
  if (isCut || meant === shown) score.markdownEqual += 1;
  else faults.push(`${wanted.kind} Markdown differs: ${firstDifference(meant, shown)}`);
}

function compareTool({
  wanted,
  got,
  all,
  score,
  faults,
}: Tally & { wanted: ExpectedMessage; got: ChatMessage; all: readonly ChatMessage[] }): void {
  score.toolsFound += 1;
  const next = all[all.indexOf(got) + 1];
  const output = got.tool?.output ?? (next?.kind === 'toolResult' ? next.text : undefined);
  const { status, output: prints } = wanted.tool ?? {};
  const isStatusRight = status === undefined || got.tool?.status === undefined || got.tool.status === status;
  const strange = prints === undefined || output === undefined ? undefined : strangeLine(prints, output);
  if (!isStatusRight) faults.push(`tool ${quote(wanted.text)} is ${got.tool?.status}, not ${status}`);
  if (strange !== undefined) faults.push(`tool ${quote(wanted.text)} did not print ${quote(strange)}`);
  if (isStatusRight && strange === undefined) score.toolsPaired += 1;
}

/** A shown line that the output does not contain, except for lines that say how much is omitted. */
function strangeLine(prints: string, output: string): string | undefined {
  const lines = new Set(prints.split('\n').map(squeeze));
  const shown = output.split('\n').map(squeeze);
  return shown.find(
    (line) => line !== '' && !lines.has(line) && !/^(…|\.\.\.|```|\[?\d+ lines)|more lines|lines hidden/.test(line),
  );
}

function compareState({
  state,
  expected,
  recorded,
  score,
  faults,
}: Tally & { state: ExpectedState; expected: Expected; recorded: ReadChat }): void {
  const dueMs = state.atMs + STATE_LATE_MS;
  const next = expected.states[expected.states.indexOf(state) + 1];
  const isAskedNext = next?.state === 'working';
  const endMs = state.untilMs ?? (next && next.atMs - (isAskedNext ? ASKED_EARLIER_MS : 0)) ?? dueMs;
  if (dueMs > endMs) return; // the state ended before it was due
  score.states += 1;
  const got = recorded.states.findLast(({ atMs }) => atMs <= dueMs)?.state ?? 'unknown';
  if (got === state.state) score.statesOnTime += 1;
  else faults.push(`at ${dueMs} ms the state is ${got}, not ${state.state} (${state.because})`);
}

function firstDifference(wanted: string, got: string): string {
  let at = 0;
  while (at < wanted.length && wanted[at] === got[at]) at += 1;
  const from = Math.max(0, at - 25);
  return `${quote(wanted.slice(from, at + 60))} is ${quote(got.slice(from, at + 60))}`;
}

const quote = (text: string) => JSON.stringify(text.length > 90 ? `${text.slice(0, 90)}…` : text);
