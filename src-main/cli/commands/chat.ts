import { type Command, Option } from 'commander';
import type { ChatLine, Conversation } from '../../contract/chat/chat.ts';
import { markExported } from '../../store/record/retention.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { print, remark } from '../print/output.ts';
import { RecordReader } from '../record/RecordReader.ts';
import { writePrivately } from '../recording/writeCast.ts';

const FORMATS = ['md', 'json', 'jsonl', 'html', 'cast'] as const;

export function addChat(program: Command): void {
  program
    .command('chat')
    .description('Print or export a conversation')
    .argument('[id]', 'id of a conversation, the start of one, or `last`: the newest', 'last')
    .addOption(new Option('-f, --format <format>', 'md, json, jsonl, html or cast').choices(FORMATS).default('md'))
    .option('-o, --out <file>', 'output file (- for stdout)', '-')
    .option('-t, --terminal <id>', 'look only in this terminal (an id, the start of one, or `last`)')
    .option('--no-redact', 'do not redact secrets')
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
  'md: Markdown; html: one page without scripts and remote content; json: one document; jsonl: a message or event per line;',
  'cast: the recording of the terminal while the agent ran. A cast is raw output and contains secrets.',
  'The other formats replace keys, tokens and passwords by [redacted: kind], and stderr says how many. Hansard does not know every',
  'form of a secret: check an export before you share it.',
];
const EXAMPLES = [
  ['hansard chat', 'print the newest conversation'],
  ['hansard chat last -f html -o talk.html', 'save it as a page'],
  ['hansard chat last --json | jq -r \'.messages[] | select(.kind == "user").text\'', 'print the prompts'],
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
    // Imported here, because it loads every agent's reader and the formats, which no other command needs.
    const { findChat, isImported, wholeChat } = await import('../record/findChat.ts');
    const conversation = await findChat(record, wanted, options.terminal);
    const whole = await wholeChat(record, conversation);
    if (!whole) throw new CliError(`conversation "${conversation.id}" could not be read`, EXIT.noInput);
    const isLog = isImported(conversation);
    if (isLog && format === 'cast')
      throw new CliError('it was imported from a log, so no terminal was recorded that could be played.', EXIT.noInput);
    const isWritten = await write(record, whole, { ...options, format });
    if (isWritten && !isLog) await markExported(record.folder(conversation.terminalId)).catch(() => remark(NOT_MARKED));
  } finally {
    record.dispose();
  }
}

const NOT_MARKED = 'the record could not be marked as exported: it may be removed when it is old';

interface Whole {
  conversation: Conversation;
  lines: readonly ChatLine[];
}

/** False if the reader closed before the end. */
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
  const { exportChat } = await import('../../conversations/export/exportChat.ts');
  const { text, redacted } = exportChat(whole, { format, redact });
  if (redacted > 0) remark(`${count(redacted, 'secret')} redacted (--no-redact keeps them)`);
  return (async function* () {
    yield text;
  })();
}

async function castOf(record: RecordReader, whole: Whole): Promise<AsyncGenerator<string>> {
  const { castOfChat } = await import('../../recordings/castOfChat.ts');
  const folder = record.folder(whole.conversation.terminalId);
  const cast = await castOfChat(folder, whole);
  if (!cast) throw new CliError(`${folder.meta} cannot be read`, EXIT.ioError);
  if (!cast.hasTimes) remark('this was recorded without times: it appears as a whole.');
  return cast.text;
}
