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
      'Make room on the disk or repair the folder: recording resumes by itself, and a gap marks the missing bytes.',
    terminalId,
    atMs,
  });
}
