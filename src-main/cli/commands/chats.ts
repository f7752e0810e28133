import type { Command } from 'commander';
import type { Conversation } from '../../contract/chat/chat.ts';
import { PAST_ID } from '../../contract/pastId.ts';
import { formatTime } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { parseCount } from '../print/options.ts';
import { colour, outputColumns, printJson, printLines, remark } from '../print/output.ts';
import { type Column, formatTable } from '../print/table.ts';
import { RecordReader } from '../record/RecordReader.ts';

const DEFAULT_LIMIT = 20;

export function addChats(program: Command): void {
  program
    .command('chats')
    .description('List conversations with agents')
    .option('-t, --terminal <id>', 'list only this terminal (an id, the start of one, or `last`)')
    .option('-n, --limit <n>', 'number of newest conversations', parseCount, DEFAULT_LIMIT)
    .option('--cursor <next>', 'continue an earlier list (`next` of its JSON, or the cursor on stderr)')
    .option('--json', 'one JSON document: {version, conversations, next}')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(list);
}

const NOTES = [
  "FROM: `terminal` if a terminal recorded it, `own log` if `hansard import` read it from its agent's own log. `hansard chat` prints both.",
  'MESSAGES: a ? behind the number means that some may be missing; `hansard chat` says why.',
  "VERIFIED: how many messages the agent's own log confirms, of those it can confirm; `-` if it confirms 0.",
];
const EXAMPLES = [
  ['hansard chats', `list the newest ${DEFAULT_LIMIT} of all terminals`],
  ['hansard chats -t last -n 1', 'list the newest of the terminal used last'],
  ["hansard chats --json | jq -r '.conversations[].title'", 'print their titles'],
] as const;

async function list(options: { terminal?: string; limit: number; cursor?: string; json?: boolean }): Promise<void> {
  const record = await RecordReader.open();
  try {
    // Imported here, because it loads every agent's reader, which no other reading command needs.
    const { listChats } = await import('../record/findChat.ts');
    const { conversations, next } = await listChats(record, options);
    if (options.json) return await printJson({ version: 1, conversations, next });
    if (conversations.length === 0) return remark('no conversation with an agent is recorded or imported there yet.');
    await printLines(formatTable(COLUMNS, conversations, outputColumns()));
    if (next !== null) remark(`there are older conversations: a higher --limit or --cursor ${next} lists them.`);
  } finally {
    record.dispose();
  }
}

const COLUMNS: readonly Column<Conversation>[] = [
  { title: 'CONVERSATION', text: ({ id }) => id },
  { title: 'AGENT', text: ({ label }) => label },
  { title: 'FROM', text: ({ terminalId }) => (terminalId === PAST_ID ? 'own log' : 'terminal') },
  { title: 'STARTED', text: ({ startedMs }) => formatTime(startedMs) },
  { title: 'MESSAGES', text: ({ messages, doubt }) => `${messages}${doubt ? '?' : ''}`, alignRight: true },
  { title: 'VERIFIED', text: verifiedText, alignRight: true },
  { title: 'STATE', text: ({ state }) => state.replace('_', ' '), look: stateLook },
  {
    title: 'TITLE',
    text: ({ title }) => title || '(nothing was asked)',
    look: (cell, { title }) => (title === '' ? colour('dim', cell) : cell),
  },
];

function verifiedText({ verified, verifiable }: Conversation): string {
  return verified === 0 ? '-' : `${verified}/${verifiable}`;
}

function stateLook(cell: string, { state }: Conversation): string {
  if (state === 'working') return colour('green', cell);
  return state.startsWith('needs') ? colour('yellow', cell) : colour('dim', cell);
}
