import type { Notices } from './Notices.ts';

/** One notice however often it fails (`fault` says what and why), taken back when the record goes on (null). */
export function noticeRecordFault(
  notices: Notices,
  { terminalId, fault, atMs }: { terminalId: string; fault: string | null; atMs: number },
): void {
  const key = `record/${terminalId}`;
  if (fault === null) return notices.clear(key, atMs);
  notices.raise({
    key,
    level: 'error',
    text: `This terminal is not being recorded. ${fault}`,
    action:
      'Make room on the disk or mend the folder: recording goes on by itself, and what was missed is marked as a gap.',
    terminalId,
    atMs,
  });
}
