import { ToolFault } from '../../contract/mcp/mcp.ts';
import { type CastSource, exportCast } from '../../recordings/exportCast.ts';
import { readMetaAsIs } from '../../store/files/readAsIs.ts';
import type { RawRange } from '../protocol/resourceUri.ts';
import type { McpReadService } from '../server/McpReadService.ts';

/** The output of a byte range as an asciicast, version 2; the whole output without a range. */
export async function castOfRange(
  { terminalId, range }: { terminalId: string; range: RawRange | null },
  { record }: McpReadService,
): Promise<CastSource> {
  const { size } = await record.raw(terminalId, 0, 0);
  if (range) checkRange(range, size);
  const { folder, live } = record.terminal(terminalId);
  await live?.book.reader.requireBytes({ rawEnd: range?.to ?? null });
  const meta = await readMetaAsIs(folder);
  if (!meta)
    throw new ToolFault('PTY_NOT_FOUND', 'the record of that terminal cannot be read', 'pty_list names others');
  return exportCast({
    folder,
    meta,
    version: 2,
    title: meta.name ?? (meta.title || null),
    idleLimitS: null,
    ...(range && { part: { rawStart: range.from, rawEnd: range.to, exitCode: null, startedMs: null } }),
  });
}

/** Throws for a range outside of `size` bytes. */
export function checkRange({ from, to }: RawRange, size: number): void {
  const refused = (message: string): ToolFault =>
    new ToolFault('BAD_INPUT', message, 'read on from raw_size', { details: { raw_size: size } });
  if (from > size) throw refused(`from_offset ${from} is behind the end, ${size}`);
  if (to > size) throw refused(`to_offset ${to} is behind the end, ${size}`);
  if (to < from)
    throw new ToolFault('BAD_INPUT', `to_offset ${to} is before from_offset ${from}`, 'give them in order');
}
