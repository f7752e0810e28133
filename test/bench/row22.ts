import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { importPast } from '../../src-main/past/importPast.ts';
import { PastFile } from '../../src-main/store/past/PastFile.ts';
import { LINE_FORMS, type Session, sessionId, writeSession } from '../past/support/syntheticLogs.ts';
import { type Figure, inTurns, median, type Row } from './Figure.ts';

const SESSIONS_EACH = 200;
const TURNS = 10;
const TARGET_MS = 1000;

/** Time to import 100 MB of agents' own logs. The import keeps all text of these synthetic logs, but only a part of real ones. */
export const row22: Row = async (options, say) => {
  const home = join(options.folder, 'row22');
  const outputBytes = Math.ceil((options.megabytes * 1e6) / (LINE_FORMS.length * SESSIONS_EACH * TURNS) / 1.6);
  for (const form of LINE_FORMS)
    for (let n = 0; n < SESSIONS_EACH; n += 1) writeSession(home, form, session(form.agent, n, outputBytes));
  let bytes = 0;
  const work = async (): Promise<number> => {
    const dataFolder = join(home, 'data');
    mkdirSync(dataFolder, { recursive: true });
    const file = PastFile.open(dataFolder);
    try {
      const startMs = performance.now();
      for (const report of importPast(file, { home, env: {}, keepsText: true })) bytes = report.bytes;
      return ((performance.now() - startMs) * 1e8) / bytes;
    } finally {
      file.close();
      rmSync(dataFolder, { recursive: true });
    }
  };
  await work();
  const { imported } = await inTurns(options.runs, { imported: work });
  say(`${Math.round(bytes / 1e6)} MB of logs in ${LINE_FORMS.length * SESSIONS_EACH} files`);
  const value = median(imported);
  const figure: Figure = {
    ...{ row: 22, work: "import of agents' own logs, for 100 MB", value, unit: 'ms', runs: options.runs },
    ...{ against: null, ratio: null, target: `≤ ${TARGET_MS} ms`, isMet: value <= TARGET_MS },
  };
  return [figure];
};

function session(agent: string, n: number, outputBytes: number): Session {
  const tool = 'line of a file that the agent read\n'.repeat(Math.ceil(outputBytes / 35));
  const turns = Array.from({ length: TURNS }, (_, at) => ({
    prompt: `Question ${at}`,
    answer: `Answer ${at} of ${n}`,
    tool,
  }));
  return { id: sessionId(agent, n), cwd: '/work/project', atMs: Date.UTC(2026, 0, 1) + n * 600_000, turns };
}
