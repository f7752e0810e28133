import { type Command, InvalidArgumentError } from 'commander';
import { attachHere, DETACH_KEYS, readKeys, takeLocalTerminal } from '../attach/attachHere.ts';
import { type KeySequence, parseDetachKeys } from '../attach/detachKeys.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { helpText } from '../print/help.ts';
import { findId } from '../record/findId.ts';
import type { LiveCore } from '../record/LiveCore.ts';
import { RecordReader } from '../record/RecordReader.ts';
import type { TerminalRow } from '../record/TerminalRow.ts';

const LAST = 'last';

export function addAttach(program: Command): void {
  program
    .command('attach')
    .description('Use a running terminal from this one')
    .argument('[id]', 'id of a terminal, the start of one, or `last`: the one used last', LAST)
    .option('-r, --read-only', 'do not send keys, and keep the size of the terminal')
    .option('--detach-keys <keys>', 'keys that detach', parseKeys, readKeys(DETACH_KEYS))
    .option('--raw-replay', 'start with the end of the raw output instead of the screen')
    .option('--no-replay', 'start with an empty screen; a full-screen program redraws')
    .addHelpText(
      'after',
      helpText({ notes: NOTES, examples: EXAMPLES, exits: ['ok', 'usage', 'noInput', 'unavailable', 'software'] }),
    )
    .action(attach);
}

const NOTES = [
  `Keys: ${DETACH_KEYS} detaches; the terminal keeps running. Press the first key twice to send it once.`,
  'Size: the window that was used last sets it; other windows show the terminal at that size.',
  'Exit code: 0 after detaching, that of the shell when it ends, 128 + n after signal n.',
  'After `kill -9` of this command, run `reset` to repair the terminal.',
];
const EXAMPLES = [
  ['hansard attach', 'attach to the terminal used last'],
  ['hansard attach t1 --read-only', 'watch it'],
  ["hansard attach --detach-keys 'ctrl+] q'", 'detach with other keys'],
] as const;

interface Options {
  readOnly?: boolean;
  detachKeys: KeySequence;
  rawReplay?: boolean;
  /** False with --no-replay. */
  replay: boolean;
}

async function attach(id: string, options: Options): Promise<void> {
  const local = takeLocalTerminal('`TERM_PROGRAM= hansard attach` ignores that');
  const record = await RecordReader.open();
  try {
    const { row, core } = await findLive(record, id);
    const replay = options.rawReplay ? 'raw' : options.replay ? 'state' : 'none';
    const chosen = { replay, isReadOnly: options.readOnly ?? false, keys: options.detachKeys } as const;
    await attachHere(core, local, { terminalId: row.id, label: row.name ?? (row.title || row.id), ...chosen });
  } finally {
    record.dispose();
  }
}

/** Finds a terminal with a screen: in a tab of the running core. */
async function findLive(record: RecordReader, id: string): Promise<{ row: TerminalRow; core: LiveCore }> {
  const { core } = record;
  if (!core)
    throw new CliError(
      record.silence ?? `Hansard is not running on ${record.dataFolder}. \`hansard\` or \`hansard serve\` starts it`,
      EXIT.unavailable,
    );
  const shown = await record.rows(
    (await record.listed()).filter(({ state }) => state === 'live' || state === 'exited'),
  );
  const newest = id === LAST ? await record.newest(shown.filter(({ state }) => state === 'live')) : undefined;
  if (newest) return { row: newest, core };
  const named = shown.map((row) => ({ id: row.id, label: `${row.name ?? row.shell}  ${row.cwd}`, row }));
  return { row: findId(id, named, 'open terminal').row, core };
}

function parseKeys(text: string): KeySequence {
  const keys = parseDetachKeys(text);
  if (!keys) throw new InvalidArgumentError('write keys like `ctrl+\\ d`: each a character or ctrl+ and a letter.');
  return keys;
}
