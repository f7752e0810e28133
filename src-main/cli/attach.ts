import { constants as osConstants } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { Attachment, type AttachOptions, type Ended } from './attach/Attachment.ts';
import { type KeySequence, parseDetachKeys } from './attach/detachKeys.ts';
import { LocalTerminal } from './attach/LocalTerminal.ts';
import { CliError, EXIT } from './exitCodes.ts';
import { helpText } from './help.ts';
import { findId } from './record/findId.ts';
import type { LiveCore } from './record/LiveCore.ts';
import { RecordReader } from './record/RecordReader.ts';
import { byNewest, type TerminalRow } from './record/TerminalRow.ts';

const DETACH_KEYS = 'ctrl+\\ d';
const LAST = 'last';

export function addAttach(program: Command): void {
  program
    .command('attach')
    .description('show a terminal of the running Hansard in this one, and type into it')
    .argument('[id]', 'id of a terminal, the start of one, or `last`: the one used last', LAST)
    .option('-r, --read-only', 'only look: keys go nowhere, and the terminal keeps its size')
    .option('--detach-keys <keys>', 'what to press to leave', parseKeys, readKeys(DETACH_KEYS))
    .option('--raw-replay', 'begin with the end of the output as it was printed, instead of the screen')
    .option('--no-replay', 'begin with nothing; a full-screen program is made to draw again')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'noInput', 'unavailable', 'software'] }),
    )
    .action(attach);
}

const NOTES = [
  `Keys: ${DETACH_KEYS} leaves, and the terminal goes on. The first of them pressed twice is sent once.`,
  'Size: the window that was typed in last decides; where another one did, the terminal is shown at that size.',
  'Exit code: 0 after leaving, that of the shell when it ends, 128 + n after signal n.',
  'Should it be killed (kill -9), `reset` gives the terminal back.',
];
const EXAMPLES = [
  ['hansard attach', 'the terminal used last'],
  ['hansard attach t1 --read-only', 'look over its shoulder'],
  ["hansard attach --detach-keys 'ctrl+] q'", 'leave by other keys'],
] as const;

interface Options {
  readOnly?: boolean;
  detachKeys: KeySequence;
  rawReplay?: boolean;
  /** False with --no-replay. */
  replay: boolean;
}

async function attach(id: string, options: Options): Promise<void> {
  const local = new LocalTerminal();
  if (process.env.TERM_PROGRAM === 'hansard')
    throw new CliError(
      'this is a terminal of Hansard already, and would show itself in itself (TERM_PROGRAM= hansard attach does it all the same)',
      EXIT.usage,
    );
  const record = await RecordReader.open();
  try {
    const { row, core } = await findLive(record, id);
    const replay = options.rawReplay ? 'raw' : options.replay ? 'state' : 'none';
    const chosen = { replay, isReadOnly: options.readOnly ?? false, keys: options.detachKeys } as const;
    const ended = await show(core, local, { terminalId: row.id, label: row.name ?? (row.title || row.id), ...chosen });
    local.restore(`[${remarkOf(ended, row.id)}]\r\n`);
    if (ended.by === 'loss') throw new CliError(`the terminal is shown no more: ${ended.reason}`, EXIT.unavailable);
    process.exitCode = exitCodeOf(ended);
  } finally {
    local.restore();
    record.dispose();
  }
}

async function show(core: LiveCore, local: LocalTerminal, options: AttachOptions): Promise<Ended> {
  // Only now: most calls of the command line need no emulator.
  const { AttachedScreen } = await import('../session/attach/AttachedScreen.ts');
  return new Attachment(core.connection, { local, screen: new AttachedScreen(local.size) }, options).run();
}

/** A terminal that has a screen: in a tab of the core that runs. */
async function findLive(record: RecordReader, id: string): Promise<{ row: TerminalRow; core: LiveCore }> {
  const { core } = record;
  if (!core)
    throw new CliError(
      record.silence ?? `no Hansard runs on ${record.dataFolder}: \`hansard\` or \`hansard serve\` starts it`,
      EXIT.unavailable,
    );
  const shown = (await record.terminals()).filter(({ state }) => state === 'live' || state === 'exited');
  const [newest] = shown.filter(({ state }) => state === 'live').sort(byNewest);
  if (id === LAST && newest) return { row: newest, core };
  const named = shown.map((row) => ({ id: row.id, label: `${row.name ?? row.shell}  ${row.cwd}`, row }));
  return { row: findId(id, named, 'open terminal').row, core };
}

function remarkOf(ended: Ended, id: string): string {
  if (ended.by === 'exit') return `the shell in ${id} has ended`;
  return ended.by === 'detach' ? `detached from ${id}` : `left ${id}`;
}

function exitCodeOf(ended: Ended): number {
  if (ended.by === 'exit') return ended.signal === null ? (ended.exitCode ?? 0) : 128 + signalNumber(ended.signal);
  return ended.by === 'signal' ? 128 + signalNumber(ended.signal ?? 'SIGHUP') : EXIT.ok;
}

function signalNumber(name: string): number {
  return osConstants.signals[name as NodeJS.Signals] ?? 0;
}

function parseKeys(text: string): KeySequence {
  const keys = parseDetachKeys(text);
  if (!keys) throw new InvalidArgumentError('write keys like `ctrl+\\ d`: each a character or ctrl+ and a letter.');
  return keys;
}

function readKeys(text: string): KeySequence {
  return parseDetachKeys(text) ?? [];
}
