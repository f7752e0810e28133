import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { Block } from '../../contract/block.ts';
import { Settings } from '../../contract/settings.ts';
import { recordFileSize } from '../../store/files/openRecordFile.ts';
import { readAsIs, readMetaAsIs } from '../../store/files/readAsIs.ts';
import { readFaultOf } from '../../store/files/readFault.ts';
import { readJsonLines } from '../../store/files/readJsonLines.ts';
import { hasTornEnd } from '../../store/record/readScreenFile.ts';
import { retentionOf, surveyRecord } from '../../store/record/retention.ts';
import { SessionFolder, terminalsFolder } from '../../store/record/SessionFolder.ts';
import { count, formatBytes } from '../print/formatFigures.ts';
import { type Check, checksOf } from './Check.ts';

const check = checksOf('record');
const NAMED = 3;
const AT_START = 'start Hansard once: it puts this right and says so';

const Gap = z.object({ type: z.literal('gap'), fromOffset: z.number(), toOffset: z.number(), reason: z.string() });

/** Problems of one terminal's folder: counts, and names of files. */
interface Findings {
  blocks: number;
  badLines: string[];
  tornTails: string[];
  badMeta: string[];
  shortRaw: string[];
  openBlocks: string[];
  gaps: { count: number; bytes: number; reason: string };
  /** Files that earlier recoveries kept. */
  kept: string[];
}

/** Checks the files of the record: size, torn and damaged lines, gaps, and leftovers of recovery. Changes nothing. */
export async function checkRecord(dataFolder: string, isRunning: boolean): Promise<Check[]> {
  if (lstatSync(terminalsFolder(dataFolder), { throwIfNoEntry: false })?.isDirectory() === false) return []; // checkFiles names it
  const ids = SessionFolder.list(dataFolder);
  const found: Findings = {
    blocks: 0,
    badLines: [],
    tornTails: [],
    badMeta: [],
    shortRaw: [],
    openBlocks: [],
    gaps: { count: 0, bytes: 0, reason: '' },
    kept: [],
  };
  for (const id of ids) {
    const folder = new SessionFolder(dataFolder, id);
    await lookAt(folder, found).catch((error: unknown) => {
      if (!readFaultOf(error, folder.root)) throw error; // checkFiles names unreadable files
    });
  }
  const size = await judgeSize(dataFolder, found.blocks);
  return [size, ...judgeDamage(found, isRunning), ...(await checkSettings(dataFolder)), ...judgeRemovals(dataFolder)];
}

async function lookAt(folder: SessionFolder, found: Findings): Promise<void> {
  const blocks = await readLinesOf(folder.blocksJsonl, found, (json) => Block.parse(json));
  const events = await readLinesOf(folder.events, found, (json) => z.looseObject({ type: z.string() }).parse(json));
  if (await hasTornEnd(folder.screenJsonl)) found.tornTails.push(folder.screenJsonl);
  if (!(await readMetaAsIs(folder))) found.badMeta.push(folder.meta);
  const latest = new Map(blocks.map((block) => [block.id, block]));
  found.blocks += latest.size;
  for (const { status, id } of latest.values()) if (status === 'running') found.openBlocks.push(id);
  const told = Math.max(0, ...blocks.map(({ rawStart, rawEnd }) => rawEnd ?? rawStart));
  if (told > ((await recordFileSize(folder.raw)) ?? 0)) found.shortRaw.push(folder.raw);
  for (const event of events) countGap(Gap.safeParse(event).data, found);
  for (const name of readdirSync(folder.root))
    if (/\.(?:torn|bad)-\d+$/.test(name)) found.kept.push(join(folder.root, name));
}

async function readLinesOf<T>(path: string, found: Findings, parse: (json: unknown) => T): Promise<T[]> {
  const { records, badLines, tornTail } = await readJsonLines(path, parse);
  if (badLines > 0) found.badLines.push(`${path} (${count(badLines, 'line')})`);
  if (tornTail) found.tornTails.push(path);
  return records;
}

function countGap(gap: z.infer<typeof Gap> | undefined, { gaps }: Findings): void {
  if (!gap) return;
  gaps.count += 1;
  gaps.bytes += gap.toOffset - gap.fromOffset;
  gaps.reason = gap.reason;
}

async function judgeSize(dataFolder: string, blocks: number): Promise<Check> {
  const entries = await surveyRecord(dataFolder, new Set());
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const text = `${count(entries.length, 'terminal')} with ${count(blocks, 'block')}: ${formatBytes(bytes)}`;
  const settings = (await readAsIs(join(dataFolder, 'settings.json'), Settings)) ?? Settings.parse({});
  const limit = retentionOf(settings).maxBytes;
  if (bytes <= limit) return check.ok('size', text);
  return check.note(
    'size',
    `${text}, more than the limit of ${formatBytes(limit)}: the longest unused move to the trash`,
  );
}

/** A running core writes meanwhile, so an unfinished last line and an open block are normal then. */
function judgeDamage(found: Findings, isRunning: boolean): Check[] {
  const { gaps } = found;
  const checks = [
    ...some(found.badLines, (files) =>
      check.warn('lines', `lines that cannot be read (the others are used): ${files}`),
    ),
    ...some(found.badMeta, (files) => check.warn('meta', `missing or unreadable: ${files}`, AT_START)),
    ...(isRunning ? [] : judgeUnfinished(found)),
    ...some(found.kept, (files) =>
      check.note('kept', `put aside by an earlier recovery, for you to look at or remove: ${files}`),
    ),
  ];
  if (gaps.count > 0) {
    const size = `${count(gaps.count, 'gap')} of ${formatBytes(gaps.bytes)} in all`;
    checks.push(check.warn('gaps', `${size}: output that could not be written (${gaps.reason})`));
  }
  return checks.length > 0 ? checks : [check.ok('lines', 'every line can be read, nothing is torn, no gaps')];
}

function judgeUnfinished({ tornTails, shortRaw, openBlocks }: Findings): Check[] {
  return [
    ...some(tornTails, (files) => check.warn('torn', `the last line is torn: ${files}`, AT_START)),
    ...some(shortRaw, (files) =>
      check.warn('short', `shorter than its blocks say, as after a power cut: ${files}`, AT_START),
    ),
    ...some(openBlocks, (blocks) => check.note('open', `still open, to be closed as interrupted: ${blocks}`, AT_START)),
  ];
}

/** One check that names the first few findings and their number; no check without findings. */
function some(found: readonly string[], make: (names: string) => Check): Check[] {
  if (found.length === 0) return [];
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : '';
  return [make(found.slice(0, NAMED).join(', ') + more)];
}

async function checkSettings(dataFolder: string): Promise<Check[]> {
  const path = join(dataFolder, 'settings.json');
  if (!existsSync(path)) return [];
  if (await readAsIs(path, Settings)) return [check.ok('settings', 'settings.json can be read')];
  const text = `${path} cannot be read: the defaults are used, and the file is put aside at the next start`;
  return [check.warn('settings', text, `edit ${basename(path)}: it must be one JSON object with valid values`)];
}

function judgeRemovals(dataFolder: string): Check[] {
  const folder = terminalsFolder(dataFolder);
  if (!existsSync(folder)) return [];
  const removing = readdirSync(folder).filter((name) => name.startsWith('.removing-'));
  return some(removing, (names) =>
    check.note('removing', `a removal by an older version was cut short; the next run moves it to the trash: ${names}`),
  );
}
