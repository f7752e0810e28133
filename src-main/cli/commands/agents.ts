import type { Command } from 'commander';
import type { AgentRow, AnswerRefusal } from '../../contract/agents.ts';
import { agentTree } from '../../contract/chat/agentTree.ts';
import { planWords } from '../../contract/chat/planWords.ts';
import { agentPlace } from '../../shared/agentPlace.ts';
import { escapeText } from '../../util/escapeControls.ts';
import { addCapture } from '../agents/capture.ts';
import { listMachines } from '../machines/machineOf.ts';
import { cutToColumns } from '../print/columns.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { formatTime } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { colour, outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { findId } from '../record/findId.ts';
import { inTime, type LiveCore } from '../record/LiveCore.ts';
import { withRunningCore } from '../record/withRunningCore.ts';

/** An answer moves a pointer and waits until the question disappears: at most 2 s per option, and 5 s. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Leaves room for the title. */
const MAX_PLAN_COLUMNS = 40;
const MAX_WHERE_COLUMNS = 30;
const ABSENT = 'no agent runs in it';
const EXITS = ['ok', 'negative', 'usage', 'noInput', 'unavailable', 'software', 'ioError'] as const;
const NOTES = [
  'The same list as the Agents page of the window: agents that wait first, then those at work, ready, and ended in the last 24 hours.',
  'WHERE: its project and branch. FILES: how many files it has changed; - if that is not known.',
  'PLAN: how many items of its to-do list are done, and which one it is at; a ? means that items may be missing.',
  'The question of an agent is printed with the numbers of its options. An answer is sent only if the screen still shows that question.',
];
const EXAMPLES = [
  ['hansard agents', 'list every agent'],
  ["hansard agents --json | jq '.agents[] | select(.question)'", 'print those that ask something'],
  ['hansard agents answer c1a 2', 'choose the second option of its question'],
  ["hansard agents reply c1a 'Run the tests again'", 'send a prompt, or queue it until the agent takes input'],
  ['hansard agents interrupt c1a', 'press Escape in an agent at work'],
] as const;

export function addAgents(program: Command): void {
  const agents = program
    .command('agents')
    .description('List agents, and what they ask')
    .option('--json', 'one JSON document: {version, agents}')
    .addHelpText('after', helpText({ notes: NOTES, examples: EXAMPLES, exits: EXITS }))
    .action(list);
  agents
    .command('answer')
    .description('Choose an option of an agent’s question')
    .argument('<id>', 'id of a conversation, or the start of one')
    .argument('<option>', 'number of the option, from 1, or `next` for the next page')
    .option('--text <text>', 'text to send with the answer, such as a reason')
    .addHelpText('after', helpText({ examples: [EXAMPLES[2]], exits: EXITS }))
    .action(answer);
  agents
    .command('reply')
    .description('Send a prompt to an agent, or queue it')
    .argument('<id>', 'id of a conversation, or the start of one')
    .argument('<text>', 'the prompt')
    .addHelpText('after', helpText({ examples: [EXAMPLES[3]], exits: EXITS }))
    .action(reply);
  agents
    .command('interrupt')
    .description('Press Escape in an agent at work')
    .argument('<id>', 'id of a conversation, or the start of one')
    .addHelpText('after', helpText({ examples: [EXAMPLES[4]], exits: EXITS }))
    .action(interrupt);
  addCapture(agents);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    const agents = await rowsOf(core);
    const absent = (await listMachines(core)).filter(({ state }) => state !== 'connected' && state !== 'off');
    if (absent.length > 0)
      remark(`not connected: ${absent.map(({ name }) => name).join(', ')}. The list may be out of date.`);
    if (json) return printJson({ version: 1, agents });
    if (agents.length === 0) return remark('no agent has run in the last 24 hours.');
    await printLines(formatTable(COLUMNS, agents, outputColumns()));
    for (const row of agents) await printLines([...subAgentLines(row), ...questionLines(row)]);
  });
}

async function answer(wanted: string, option: string, { text }: { text?: string }): Promise<void> {
  const number = /^[1-9]\d?$/.test(option) ? Number(option) : option === 'next' ? option : null;
  if (number === null) throw new CliError(`"${option}" is not the number of an option (1, 2, …, next).`, EXIT.usage);
  await withRunningCore(ABSENT, async (core) => {
    const { terminalId, question } = await findRow(core, wanted);
    if (!question) throw new CliError('it asks nothing.', EXIT.negative);
    if (number !== 'next' && number > question.options.length)
      throw new CliError(`its question has ${question.options.length} options.`, EXIT.usage);
    const verdict = await inTime(
      core.connection.api.agent.answer.mutate({
        terminalId,
        questionId: question.id,
        option: number === 'next' ? number : number - 1,
        ...(text && { text }),
      }),
      ANSWER_TIMEOUT_MS,
    );
    if (!verdict.ok) throw new CliError(REFUSALS[verdict.reason], EXIT.negative);
    remark(number === 'next' ? 'went to the next page.' : `chose “${question.options[number - 1]}”.`);
  });
}

async function reply(wanted: string, text: string): Promise<void> {
  if (text.trim() === '') throw new CliError('the prompt is empty.', EXIT.usage);
  await withRunningCore(ABSENT, async (core) => {
    const { terminalId } = await findRow(core, wanted);
    const verdict = await inTime(core.connection.api.agent.reply.mutate({ terminalId, text }), ANSWER_TIMEOUT_MS);
    if (!verdict.ok)
      throw new CliError(
        verdict.reason === 'gone'
          ? 'the agent has ended.'
          : '20 replies are waiting already: cancel one in the window.',
        EXIT.negative,
      );
    remark(verdict.sent ? 'sent.' : 'queued: it is sent when the agent takes input.');
  });
}

async function interrupt(wanted: string): Promise<void> {
  await withRunningCore(ABSENT, async (core) => {
    const { terminalId } = await findRow(core, wanted);
    const verdict = await inTime(core.connection.api.agent.interrupt.mutate({ terminalId }), ANSWER_TIMEOUT_MS);
    if (verdict.ok) return remark('interrupted.');
    const reasons = {
      gone: 'the agent has ended.',
      idle: 'it is not working.',
      working: 'Escape was sent, but it is still working.',
    };
    throw new CliError(reasons[verdict.reason], EXIT.negative);
  });
}

const REFUSALS: Readonly<Record<AnswerRefusal, string>> = {
  gone: 'the agent has ended.',
  changed: 'the question changed meanwhile. Nothing was chosen.',
  typing: 'somebody is typing in that terminal. Nothing was chosen.',
  terminal: 'this question can only be answered in its terminal.',
  pointer: 'the pointer did not move to that option. Nothing was chosen.',
  text: 'that option needs a text (--text), or the text did not appear in it.',
  open: 'Return was sent, but the question is still there. Look at the terminal.',
};

function rowsOf(core: LiveCore): Promise<readonly AgentRow[]> {
  return inTime(core.connection.api.agent.rows.query());
}

async function findRow(core: LiveCore, wanted: string): Promise<AgentRow> {
  const rows = (await rowsOf(core)).map((one) => ({ id: one.conversationId, label: one.title || one.label, one }));
  if (rows.length === 0) throw new CliError('no agent has run in the last 24 hours.', EXIT.noInput);
  return findId(wanted, rows, 'conversation').one;
}

const COLUMNS: readonly Column<AgentRow>[] = [
  { title: 'CONVERSATION', text: ({ conversationId }) => conversationId },
  { title: 'AGENT', text: ({ label, version }) => [label, version].filter(Boolean).join(' ') },
  { title: 'STATE', text: ({ state }) => state.replace('_', ' '), look: stateLook },
  { title: 'WHERE', text: (row) => cutToColumns(agentPlace(row).join(' · ') || '-', MAX_WHERE_COLUMNS) },
  { title: 'FILES', text: ({ files }) => (files === null ? '-' : String(files)), alignRight: true },
  { title: 'SINCE', text: ({ sinceMs }) => formatTime(sinceMs) },
  { title: 'PLAN', text: ({ plan }) => (plan ? cutToColumns(planWords(plan), MAX_PLAN_COLUMNS) : '-') },
  { title: 'TITLE', text: ({ title }) => title || '(nothing was asked)' },
];

function boxOf(checked: boolean | null): string {
  return checked === null ? '' : checked ? '[x] ' : '[ ] ';
}

function stateLook(cell: string, { state }: AgentRow): string {
  if (state === 'working') return colour('green', cell);
  return state.startsWith('needs') ? colour('yellow', cell) : colour('dim', cell);
}

/** The tree below an agent, indented by parent. */
function subAgentLines({ conversationId, subAgents }: AgentRow): string[] {
  if (subAgents.length === 0) return [];
  const rows = agentTree(subAgents).map(({ depth, subAgent: { title, kind, state, sinceMs } }) => {
    const name = [title || '(no title)', kind && `(${kind})`].filter(Boolean).join(' ');
    return `${'  '.repeat(depth + 1)}${state} since ${formatTime(sinceMs)}: ${name}`;
  });
  return ['', `${conversationId} has sub-agents:`, ...rows].map((line) => escapeText(line));
}

function questionLines({ conversationId, question }: AgentRow): string[] {
  if (!question) return [];
  const options = question.options.map((label, at) => `    ${at + 1}. ${boxOf(question.checked[at] ?? null)}${label}`);
  if (question.hasNext) options.push('    next. Next page');
  const lines = ['', `${conversationId} asks:`, ...question.text.split('\n').map((line) => `  ${line}`), ...options];
  return lines.map((line) => escapeText(line));
}
