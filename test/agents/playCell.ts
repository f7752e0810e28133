import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Cell, knownCell } from './cells.ts';
import { chatOfRecording } from './compare/chatOfRecording.ts';
import { type Comparison, compare } from './compare/compare.ts';
import { type Recording, record, writeRecording } from './drive/record.ts';
import { installedVersion } from './launch/Agent.ts';
import { type Counts, countsOf } from './versions/measure.ts';

export interface Played {
  readonly version: string;
  /** What went wrong beside what was recorded, for people. */
  readonly problems: readonly string[];
  /** Null when the case did not come to its end. */
  readonly comparison: Comparison | null;
  /** Of the app's record, as that of a version is kept. Null as `comparison`. */
  readonly counts: Counts | null;
  /** Folder of its recording. Null where none was kept. */
  readonly folder: string | null;
}

/** Plays a cell, and writes its recording into `target`. Never throws for what an agent does. */
export async function playCell(
  cell: Cell,
  { target, isOffline, isCompressed }: { target: string | null; isOffline: boolean; isCompressed: boolean },
): Promise<Played> {
  const known = knownCell(cell);
  const [agent] = known.agents;
  const version = (agent && installedVersion(agent)) ?? 'unknown';
  try {
    const recording = await record({ ...cell, ...known });
    const folder = target === null ? null : basename(writeRecording(target, recording, isCompressed));
    const { expected, recorded, problems } = recording;
    const counts = countsOf(expected, recorded);
    return { version, problems, comparison: await judge(recording, isOffline), counts, folder };
  } catch (error) {
    const problems = [`was not played to its end: ${String(error)}`];
    return { version, problems, comparison: null, counts: null, folder: null };
  }
}

async function judge({ expected, recorded, cast }: Recording, isOffline: boolean): Promise<Comparison> {
  if (!isOffline) return compare(expected, recorded);
  const folder = join(process.env.TMPDIR ?? '/tmp', 'hansard-rig');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${process.pid}.cast`);
  writeFileSync(path, cast);
  return compare(expected, await chatOfRecording(path, expected));
}
