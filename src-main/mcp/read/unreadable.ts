import { basename } from 'node:path';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import { type ReadFault, readFaultOf } from '../../store/files/readFault.ts';

/** For an error that names no file. */
const SOME_FILE = 'a file of the record';

/** A sentence about a file of the record for a client, without the person's folders. */
export function unreadableText({ path, reason }: ReadFault): string {
  const [, within = basename(path)] = /.*\/terminals\/(.+)/.exec(path) ?? [];
  return `${within} ${reason}`;
}

/** What was read, or `otherwise` with a sentence if a file of the record cannot be read. */
export async function unlessUnreadable<T>(read: Promise<T>, otherwise: (sentence: string) => T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const fault = readFaultOf(error, SOME_FILE);
    if (!fault) throw error;
    return otherwise(unreadableText(fault));
  }
}

/** The refusal for a file of the record that cannot be read; any other error stays as it is. */
export function unreadableFault(error: unknown): unknown {
  const fault = readFaultOf(error, SOME_FILE);
  if (!fault) return error;
  return new ToolFault(
    'UNREADABLE',
    unreadableText(fault),
    'another view may be readable (view: "plain"); tell the person, because `hansard doctor` says more',
  );
}
