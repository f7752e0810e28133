import type { BlockStatus } from '../../contract/block.ts';
import type { BlockHit, NotSearched, SearchQuery } from '../../contract/search.ts';
import type { DocRow } from '../../store/index/IndexQuery.ts';
import type { WordMatcher } from '../../store/index/WordMatcher.ts';
import { type ReadFault, untilFault } from '../../store/readFault.ts';
import { streamOut } from '../../store/readRecord.ts';
import { SessionFolder } from '../../store/SessionFolder.ts';
import { withoutSecrets } from '../outside/withoutSecrets.ts';
import { RedactingBytes } from '../scan/RedactingBytes.ts';
import { LinePicker } from './pickLines.ts';
import { spansOfCommand } from './readHits.ts';
import type { SearchTime } from './SearchTime.ts';
import { scanWords } from './scanWords.ts';

interface Wish {
  readonly dataFolder: string;
  readonly matcher: WordMatcher;
  readonly query: SearchQuery;
  readonly time: SearchTime;
  readonly onFault: (fault: ReadFault) => void;
  readonly onNotSearched: (one: NotSearched) => void;
}

/** Reads a block of which the index lacks the middle. `late`: the time was over first. */
export async function readLeftOut(
  row: DocRow,
  { dataFolder, matcher, query, time, onFault, onNotSearched }: Wish,
): Promise<BlockHit | 'late' | null> {
  const { terminalId, id, atMs, cwd, exitCode } = row;
  const redacting = query.withoutSecrets ? new RedactingBytes() : null;
  const cmd = row.cmd !== null && query.withoutSecrets ? withoutSecrets(row.cmd).text : row.cmd;
  const isInCmd = query.in.includes('cmd');
  const doc = matcher.text();
  if (isInCmd) doc.take(cmd ?? '');
  doc.nextText();
  const picker = new LinePicker(matcher.size);
  const shown = redacting && ((lines: Buffer) => redacting.take(lines));
  const folder = new SessionFolder(dataFolder, terminalId);
  const pieces = untilFault(streamOut(folder, id), { path: folder.out(id), onFault });
  const onTooLong = (lines: readonly number[]): void => onNotSearched({ terminalId, id, lines });
  if (!(await scanWords(pieces, { matcher, doc, picker, time, onTooLong, ...(shown && { shown }) }))) return 'late';
  if (doc.missing.size > 0) return null;
  const cmdSpans = isInCmd ? spansOfCommand(matcher, cmd) : [];
  const status = (row.status ?? 'unknown_end') as BlockStatus; // from a Block: nothing else writes it
  return { type: 'block', terminalId, id, atMs, cmd, cmdSpans, cwd, exitCode, status, ...picker.result() };
}
