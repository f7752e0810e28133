import { type Command, Option } from 'commander';
import type { ChatLine, Conversation } from '../contract/chat.ts';
import { markExported } from '../store/retention.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { count } from './formatFigures.ts';
import { helpText } from './help.ts';
import { print, remark } from './output.ts';
import { RecordReader } from './record/RecordReader.ts';
import { writePrivately } from './recording/writeCast.ts';

const FORMATS = ['md', 'json', 'jsonl', 'html', 'cast'] as const;

export function addChat(program: Command): void {
  program
    .command('chat')
    .description('print or export a conversation with an agent')
    .argument('[id]', 'id of a conversation, the start of one, or `last`: the newest', 'last')
    .addOption(new Option('-f, --format <format>', 'md, json, jsonl, html or cast').choices(FORMATS).default('md'))
    .option('-o, --out <file>', 'write into this file (- for stdout)', '-')
    .option('-t, --terminal <id>', 'only look in this terminal (an id, the start of one, or `last`)')
    .option('--no-redact', 'leave secrets in')
    .option('--json', 'the same as --format json')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(show);
}

const NOTES = [
  'md: Markdown; html: one page that loads and runs nothing; json: one document; jsonl: a message or event a line;',
  'cast: the recording of the terminal while the agent ran, to be played anywhere. A cast is raw output: secrets stay in it.',
  'In all others keys, tokens and passwords are replaced by [redacted: kind], and how many is told. No list of their forms is ever',
  'complete: look before you pass one on.',
];
const EXAMPLES = [
  ['hansard chat', 'what was last said with an agent'],
  ['hansard chat last -f html -o talk.html', 'as a page, to read, print or pass on'],
  ['hansard chat last --json | jq -r \'.messages[] | select(.kind == "user").text\'', 'what was asked'],
] as const;

interface ShowOptions {
  format: (typeof FORMATS)[number];
  out: string;
  terminal?: string;
  redact: boolean;
  json?: boolean;
}

async function show(wanted: string, options: ShowOptions): Promise<void> {
  const format = options.json ? 'json' : options.format;
  const record = await RecordReader.open();
  try {
    // Only here: it brings every agent's reader and the formats, which no other command needs.
    const { findChat, chatsOf } = await import('./record/findChat.ts');
    const conversation = await findChat(record, wanted, options.terminal);
    const whole = await chatsOf(record).whole(conversation.terminalId, conversation.id);
    if (!whole) throw new CliError(`conversation "${conversation.id}" could not be read`, EXIT.noInput);
    const isWritten = await write(record, whole, { ...options, format });
    if (isWritten) await markExported(record.folder(conversation.terminalId)).catch(() => remark(NOT_MARKED));
  } finally {
    record.dispose();
  }
}

const NOT_MARKED = 'the record could not be marked as exported: it may be removed when it is old';

interface Whole {
  conversation: Conversation;
  lines: ChatLine[];
}

/** False when nobody read to the end. */
async function write(record: RecordReader, whole: Whole, { format, out, redact }: ShowOptions): Promise<boolean> {
  const text = format === 'cast' ? await castOf(record, whole) : await textOf(whole, format, redact);
  if (out !== '-') {
    await writePrivately(out, text);
    return true;
  }
  for await (const piece of text) if (!(await print(piece))) return false;
  return true;
}

async function textOf(
  whole: Whole,
  format: Exclude<ShowOptions['format'], 'cast'>,
  redact: boolean,
): Promise<AsyncGenerator<string>> {
  const { exportChat } = await import('../session/exportChat.ts');
  const { text, redacted } = exportChat(whole, { format, redact });
  if (redacted > 0) remark(`${count(redacted, 'secret')} redacted (--no-redact leaves them in)`);
  return (async function* () {
    yield text;
  })();
}

async function castOf(record: RecordReader, whole: Whole): Promise<AsyncGenerator<string>> {
  const { castOfChat } = await import('../session/castOfChat.ts');
  const folder = record.folder(whole.conversation.terminalId);
  const cast = await castOfChat(folder, whole);
  if (!cast) throw new CliError(`${folder.meta} cannot be read`, EXIT.ioError);
  if (!cast.hasTimes) remark('this was recorded without times: it appears as a whole.');
  return cast.text;
}
