import { z } from 'zod';
import { RepliesFile } from '../../contract/agents.ts';
import { SnapshotLine } from '../../contract/changes.ts';
import { MachinesFile } from '../../contract/machines.ts';
import { SavedCommandsFile, TrustedFiles } from '../../contract/savedCommand.ts';
import { openRecordFile } from '../../store/files/openRecordFile.ts';
import { readJsonLines, readLines } from '../../store/files/readJsonLines.ts';
import { readSmall } from '../../store/files/readPiece.ts';
import { McpHttpKey } from '../../store/instance/mcpHttpKey.ts';
import { DayLedger } from '../../store/record/dayLedger.ts';
import { AnyIndexLine } from '../../store/record/indexLines.ts';
import { parseChatLine } from '../../store/record/readChat.ts';
import { readSnapshot } from '../../store/record/readSnapshot.ts';
import { parseTime } from '../../store/record/readTimes.ts';
import { count } from '../print/formatFigures.ts';

/** Location of a kind of file: the data folder, a terminal's folder, or its `blocks`. */
export type Place = 'data' | 'terminal' | 'blocks';

/** One kind of file that Hansard writes. */
export interface FileKind {
  place: Place;
  /** Without `.zst` for a file that may be compressed. */
  name: RegExp;
  isFolder?: true;
  /** Resolves to the fault inside the file, as words that follow its path, or null. `checkRecord` checks the other files. Rejects when the disk refuses. */
  examine?: (path: string) => Promise<string | null>;
  /** The fix, as a sentence for the person. */
  remedy: string;
}

const AT_START = 'start Hansard: it renames the file and goes on without it';
const FROM_BACKUP = 'restore it from a backup; Hansard uses the rest of the terminal';
const REBUILT = 'remove it: Hansard rebuilds it';
const ASIDE = 'read it, and remove it when you no longer need it';
const MISPLACED = 'move it away and restore the folder from a backup';
const NOTHING = 'quit Hansard and remove it';

/** Every kind of file that Hansard writes in its data folder. A test compares this list with the sources. */
export const FILE_KINDS: readonly FileKind[] = [
  { place: 'data', name: /^settings\.json$/, remedy: AT_START },
  {
    place: 'data',
    name: /^workspace\.json$/,
    remedy: AT_START,
    examine: json(z.object({ order: z.array(z.string()) })),
  },
  {
    place: 'data',
    name: /^days\.json$/,
    remedy: `${AT_START}; every closed terminal then counts as used today`,
    examine: json(DayLedger),
  },
  {
    place: 'data',
    name: /^commands\.json$/,
    remedy: 'correct it in an editor; until then no saved command is offered',
    examine: json(SavedCommandsFile),
  },
  {
    place: 'data',
    name: /^trusted\.json$/,
    remedy: `${AT_START}; the window then asks again before it uses the commands of a project`,
    examine: json(TrustedFiles),
  },
  {
    place: 'data',
    name: /^machines\.json$/,
    remedy: `${AT_START}; connect your machines once more`,
    examine: json(MachinesFile),
  },
  { place: 'data', name: /^(?:web|window|core)\.json$/, remedy: REBUILT, examine: json(z.object({})) },
  { place: 'data', name: /^endpoint\.json$/, remedy: 'restart Hansard', examine: json(z.object({})) },
  {
    place: 'data',
    name: /^policy\.json$/,
    remedy: 'correct it in an editor; until then every command asks',
    examine: json(z.object({})),
  },
  {
    place: 'data',
    name: /^notifications\.json$/,
    remedy: `${AT_START}; the list of notifications is then empty`,
    examine: json(z.object({ version: z.literal(1) })),
  },
  {
    place: 'data',
    name: /^replies\.json$/,
    remedy: `${AT_START}; replies that waited for an agent are lost`,
    examine: json(RepliesFile),
  },
  {
    place: 'data',
    name: /^mcp-http\.json$/,
    remedy: 'run `hansard mcp rotate-token`: it makes a new token for MCP over HTTP',
    examine: json(McpHttpKey),
  },
  { place: 'data', name: /^catalog\.json$/, remedy: REBUILT, examine: json(z.object({ version: z.literal(1) })) },
  { place: 'data', name: /^rule-words$/, remedy: REBUILT },
  { place: 'data', name: /^core\.lock(?:\.after-.*)?$/, remedy: NOTHING },
  { place: 'data', name: /^core\.log(?:\.\d+)?$/, remedy: NOTHING },
  {
    place: 'data',
    name: /^audit(?:[.-][\w-]+)*\.jsonl$/,
    remedy: 'run `hansard audit verify`: it lists the missing entries',
    examine: lines(() => undefined),
  },
  {
    place: 'data',
    name: /^audit\.(?:head|counts)\.json$/,
    remedy: 'run `hansard audit verify`: it lists the missing entries',
    examine: json(z.object({})),
  },
  { place: 'data', name: /^index\.sqlite(?:-wal|-shm|-journal)?$/, remedy: REBUILT },
  {
    place: 'data',
    name: /^past\.sqlite(?:-wal|-shm|-journal)?$/,
    remedy:
      'restore it from a backup, or remove it and run `hansard import`, which reads the logs that agents still have',
  },
  {
    place: 'data',
    name: /^(?:run|electron|server|telemetry|themes|trash|terminals|snapshots)$/,
    isFolder: true,
    remedy: MISPLACED,
  },
  {
    place: 'terminal',
    name: /^meta\.json$/,
    remedy: 'open the terminal: Hansard rebuilds its meta.json',
  },
  {
    place: 'terminal',
    name: /^writer\.json$/,
    remedy: 'start Hansard: it recovers the recording',
    examine: json(z.object({})),
  },
  {
    place: 'terminal',
    name: /^shell\.json$/,
    remedy: 'remove it: the next change of the aliases or functions of its shell makes it again',
    examine: json(z.object({ version: z.literal(1) })),
  },
  { place: 'terminal', name: /^blocks\.jsonl$/, remedy: FROM_BACKUP },
  { place: 'terminal', name: /^events\.jsonl$/, remedy: FROM_BACKUP },
  { place: 'terminal', name: /^chat\.jsonl$/, remedy: FROM_BACKUP, examine: lines(parseChatLine) },
  {
    place: 'terminal',
    name: /^changes\.jsonl$/,
    remedy: 'only the changes of some turns are lost',
    examine: lines((value) => SnapshotLine.parse(value)),
  },
  { place: 'terminal', name: /^output\.raw$/, remedy: FROM_BACKUP, examine: bytes },
  { place: 'terminal', name: /^output\.times$/, remedy: 'only the times of the output are lost', examine: times },
  {
    place: 'terminal',
    name: /^screen\.jsonl$/,
    remedy: 'only earlier screens are lost',
    examine: lines(() => undefined),
  },
  { place: 'terminal', name: /^screen\.snapshot\.json$/, remedy: REBUILT, examine: snapshot },
  { place: 'terminal', name: /^exported$/, remedy: NOTHING },
  { place: 'terminal', name: /^blocks$/, isFolder: true, remedy: FROM_BACKUP },
  {
    place: 'blocks',
    name: /^[\w-]+\.out$/,
    remedy: 'run `hansard block ID --raw`: it prints the recorded bytes',
    examine: bytes,
  },
  {
    place: 'blocks',
    name: /^[\w-]+\.ren$/,
    remedy: 'run `hansard block ID --raw`: it prints the recorded bytes',
    examine: bytes,
  },
  {
    place: 'blocks',
    name: /^[\w-]+\.idx$/,
    remedy: REBUILT,
    examine: lines((value) => AnyIndexLine.parse(value)),
  },
  ...(['data', 'terminal', 'blocks'] as const).flatMap((place) => [
    { place, name: /\.(?:bad|torn)-\d+$/, remedy: ASIDE },
    { place, name: /\.\d+-\d+\.tmp$/, remedy: NOTHING },
  ]),
];

export function kindOf(place: Place, name: string): FileKind | null {
  const plain = name.replace(/\.zst$/, '');
  return FILE_KINDS.find((kind) => kind.place === place && kind.name.test(plain)) ?? null;
}

function json(schema: z.ZodType): (path: string) => Promise<string | null> {
  return async (path) => {
    const text = await readSmall(path);
    if (text === '') return 'is empty';
    try {
      schema.parse(JSON.parse(text.replace(/^\uFEFF/, '').trimEnd()));
      return null;
    } catch {
      return 'is not valid: it is no JSON, or a required field is missing';
    }
  };
}

function lines(parse: (value: unknown) => unknown): (path: string) => Promise<string | null> {
  return async (path) => {
    const { badLines } = await readJsonLines(path, (value) => parse(value) ?? true);
    return badLines > 0 ? `has ${count(badLines, 'line')} that cannot be read; the others are used` : null;
  };
}

async function times(path: string): Promise<string | null> {
  let bad = 0;
  for await (const { line, isTorn } of readLines(path)) {
    const text = line?.toString().replace(/^\0+/, '') ?? '-'; // NUL bytes: a gap from a full disk
    if (!isTorn && text !== '' && !parseTime(text)) bad += 1;
  }
  return bad > 0 ? `has ${count(bad, 'line')} that cannot be read; the others are used` : null;
}

async function snapshot(path: string): Promise<string | null> {
  return (await readSnapshot(path)) ? null : 'cannot be read; Hansard rebuilds the screen from the record';
}

const PIECE_BYTES = 1024 * 1024;

/** Decompresses the whole file, because nothing else proves that its frames are intact. */
async function bytes(path: string): Promise<string | null> {
  const file = await openRecordFile(path);
  try {
    const size = (await file?.size()) ?? 0;
    const isCompressed = file !== null && 'frames' in file;
    for (let at = 0; isCompressed && at < size; at += PIECE_BYTES) await file.read(at, PIECE_BYTES);
    return null;
  } finally {
    await file?.close();
  }
}
