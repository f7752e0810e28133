import type { PastImportReport } from '../contract/past.ts';
import { PastFile } from '../store/past/PastFile.ts';
import type { Where } from './findSources.ts';
import { importPast } from './importPast.ts';
import { matchRecorded } from './matchRecorded.ts';
import { noteTalks } from './recordedTalks.ts';

export interface ImportRun extends Where {
  readonly dataFolder: string;
  /** True: the import only counts, and writes nothing. */
  readonly isDry?: boolean | undefined;
}

/**
 * Imports or counts the conversations in agent logs, then finds those that terminals recorded too. Resolves to the complete report. It yields to other
 * work of the thread after each piece. Rejects if the data folder cannot be written.
 */
export async function runImport(
  { dataFolder, isDry = false, ...where }: ImportRun,
  onReport: (report: PastImportReport) => void = () => undefined,
): Promise<PastImportReport> {
  const file = isDry ? PastFile.scratch() : PastFile.open(dataFolder);
  try {
    let last: PastImportReport | null = null;
    for (const report of importPast(file, { ...where, keepsText: !isDry })) {
      last = report;
      onReport(report);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    if (!last) throw new Error('an import always reports');
    if (isDry) return last;
    await noteTalks(file, dataFolder);
    matchRecorded(file);
    const sql = 'SELECT count(*) AS count FROM conversations WHERE agent = ? AND covered = messages';
    const recorded = (agent: string) => file.get<{ count: number }>(sql, agent)?.count ?? 0;
    return { ...last, agents: last.agents.map((one) => ({ ...one, recorded: recorded(one.agent) })) };
  } finally {
    file.close();
  }
}
