import type { Command } from 'commander';
import type { ChangeSource } from '../../changes/offlineChanges.ts';
import type {
  ChangedFile,
  ChangeSet,
  ChangeTurn,
  FileStatus,
  SnapshotFault,
  TurnCommand,
} from '../../contract/changes.ts';
import type { Conversation } from '../../contract/chat/chat.ts';
import { escapeText } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { formatBytes, formatTime } from '../print/formatFigures.ts';
import { helpText } from '../print/help.ts';
import { parseCount } from '../print/options.ts';
import { colour, print, printJson, printLines } from '../print/output.ts';
import { inTime } from '../record/LiveCore.ts';
import { RecordReader } from '../record/RecordReader.ts';

/** Longest time of git for a large repository on a cold disk. */
const ANSWER_MS = 60_000;
const NOTES = [
  'Hansard takes a snapshot of all files that git does not ignore, at each prompt and when the agent is done. The changes of a turn',
  'include those of anybody who wrote in the folder in that time. The snapshots are in the repository, below refs/hansard.',
];
const EXAMPLES = [
  ['hansard changes', 'print what the newest conversation changed, by turn'],
  ['hansard changes c1a --turn 2', 'print the changes of its second turn'],
  ['hansard changes c1a --turn 2 --patch | git apply -R', 'undo them in the repository'],
  ["hansard changes --json | jq -r '.turns[].files[].path'", 'print the paths'],
] as const;

export function addChanges(program: Command): void {
  program
    .command('changes')
    .description('Print what an agent changed, by turn')
    .argument('[conversation]', 'id of a conversation, the start of an id, or `last`', 'last')
    .option('-t, --turn <n>', 'print only this turn, from 1', parseCount)
    .option('-p, --patch', 'print a patch for `git apply`: of the turn or of all turns')
    .option('--json', 'one JSON document: {version, conversation, root, turns}')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'negative', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(show);
}

interface Options {
  turn?: number;
  patch?: boolean;
  json?: boolean;
}

async function show(wanted: string, options: Options): Promise<void> {
  if (options.patch && options.json) throw new CliError('--patch and --json exclude each other.', EXIT.usage);
  const record = await RecordReader.open();
  try {
    // Imported here, because it loads every agent's reader, which most reading commands do not need.
    const { findChat } = await import('../record/findChat.ts');
    const conversation = await findChat(record, wanted);
    await withSource(record, (source) => showFrom(source, conversation, options));
  } finally {
    record.dispose();
  }
}

async function withSource(record: RecordReader, use: (source: ChangeSource) => Promise<void>): Promise<void> {
  const { core, dataFolder } = record;
  if (core) {
    const { changes } = core.connection.api.agent;
    return use({
      turns: (of) => inTime(changes.turns.query(of), ANSWER_MS),
      read: (range) => inTime(changes.read.query(range), ANSWER_MS),
      wholePatch: async (range) => (await inTime(changes.wholePatch.query(range), ANSWER_MS)).text,
    });
  }
  const [{ withOfflineChanges }, { chatsOf }] = await Promise.all([
    import('../../changes/offlineChanges.ts'),
    import('../record/findChat.ts'),
  ]);
  const chatLines = async (terminalId: string, id: string) =>
    (await chatsOf(record).whole(terminalId, id))?.lines ?? [];
  await withOfflineChanges({ dataFolder, env: process.env, chatLines }, use);
}

async function showFrom(source: ChangeSource, conversation: Conversation, options: Options): Promise<void> {
  const { turn: only, patch, json } = options;
  const ref = { terminalId: conversation.terminalId, conversationId: conversation.id };
  const known = await source.turns(ref);
  const turns = known.turns.filter(({ turn }) => only === undefined || turn === only).toReversed();
  if (turns.length === 0) throw new CliError(noTurn(known.turns, only), EXIT.noInput);
  if (patch) return printPatch(source, { ...ref, turn: only ?? null });
  const read = await Promise.all(
    turns.map(async (turn) => ({ ...turn, ...((await source.read({ ...ref, turn: turn.turn })) ?? NOTHING) })),
  );
  if (json) return printJson({ version: 1, conversation: conversation.id, root: known.root, turns: read });
  for (const turn of read) await printLines(linesOf(turn).map((line) => escapeText(line)));
}

const NOTHING: ChangeSet = { files: [], leftOut: [], fault: null, isLive: false, commands: [] };

function noTurn(turns: readonly ChangeTurn[], only: number | undefined): string {
  if (turns.length > 0) return `no turn ${only}: the conversation has ${turns.length}.`;
  return 'this conversation has no snapshots: it is older than this feature, `agents.changes` was off, or it has no prompt yet.';
}

async function printPatch(source: ChangeSource, range: Parameters<ChangeSource['read']>[0]): Promise<void> {
  const read = await source.read(range);
  if (read?.fault) throw new CliError(`no patch: ${faultText(read.fault)}.`, EXIT.negative);
  await print(await source.wholePatch({ ...range, fileId: null }));
}

function linesOf(turn: ChangeTurn & ChangeSet): string[] {
  const title = `Turn ${turn.turn}  ${formatTime(turn.startedMs)}  ${turn.title || '(prompt not seen)'}`;
  const notes = [
    ...(turn.fault
      ? [`changes unknown: ${faultText(turn.fault)}`]
      : turn.files.length === 0
        ? ['no files changed']
        : []),
    ...(turn.others.length > 0 ? [`other agents in this folder at the same time: ${turn.others.join(', ')}`] : []),
    ...(turn.isLive ? ['in progress'] : []),
  ];
  return [
    colour('bold', title),
    ...turn.files.map(fileLine),
    ...turn.leftOut
      .filter(({ hasChanged }) => hasChanged !== false)
      .map(
        ({ path, why, bytes }) =>
          `  ?  ${path}  (${why}${bytes === null ? '' : `, ${formatBytes(bytes)}`}: not compared)`,
      ),
    ...turn.commands.map(commandLine),
    ...notes.map((note) => colour('dim', `  ${note}`)),
    '',
  ];
}

const LETTERS: Readonly<Record<FileStatus, string>> = {
  ...{ added: 'A', modified: 'M', deleted: 'D', renamed: 'R', mode: 'X', type: 'T', ignored: 'I' },
};

function fileLine({ status, path, from, added, removed, newMode }: ChangedFile): string {
  const counts = added === null ? 'binary' : [added ? `+${added}` : '', removed ? `-${removed}` : ''].join(' ').trim();
  const mode = status === 'mode' ? `mode ${newMode}` : '';
  const name = from === null ? path : `${from} → ${path}`;
  const facts = status === 'ignored' ? 'now ignored by git' : [counts, mode].join(' ').trim();
  return `  ${LETTERS[status]}  ${name}  ${facts}`.trimEnd();
}

function commandLine({ text, status, exitCode, tests }: TurnCommand): string {
  const end = exitCode === null ? (status === 'unknown' ? '' : status) : `exit ${exitCode}`;
  const counted = tests ? `${tests.passed} passed, ${tests.failed} failed` : '';
  const [line = ''] = text.split('\n');
  return `  $  ${line}  ${[end, counted].filter(Boolean).join(', ')}`.trimEnd();
}

function faultText({ why, detail }: SnapshotFault): string {
  const reasons: Readonly<Record<SnapshotFault['why'], string>> = {
    outside: 'the agent’s folder is in no git work tree',
    foreign: 'the repository belongs to another user',
    large: `there was too much to store (${detail}); add generated files to .gitignore`,
    slow: 'the snapshot took too long; the next one continues where it stopped',
    git: 'git was not found; install it',
    failed: `git could not take or read the snapshot (${detail})`,
    gone: 'the snapshots or the repository were removed',
    unended: 'Hansard did not see the end of this turn',
    moved: 'the turn ended in another repository',
  };
  return reasons[why];
}
