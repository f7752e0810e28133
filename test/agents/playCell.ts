import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cell, knownCell } from './cells.ts';
import { chatOfRecording } from './compare/chatOfRecording.ts';
import { type Comparison, compare } from './compare/compare.ts';
import { type Recording, record, writeRecording } from './drive/record.ts';
import { installedVersion } from './launch/Agent.ts';

export interface Played {
  readonly version: string;
  /** What went wrong beside what was recorded, for people. */
  readonly problems: readonly string[];
  /** Null when the case did not come to its end. */
  readonly comparison: Comparison | null;
}

/** Plays a cell, and writes its recording into `target`. Never throws for what an agent does. */
export async function playCell(
  cell: Cell,
  { target, isOffline }: { target: string | null; isOffline: boolean },
): Promise<Played> {
  const known = knownCell(cell);
  const [agent] = known.agents;
  const version = (agent && installedVersion(agent)) ?? 'unknown';
  try {
    const recording = await record({ ...cell, ...known });
    if (target !== null) writeRecording(target, recording);
    return { version, problems: recording.problems, comparison: await judge(recording, isOffline) };
  } catch (error) {
    return { version, problems: [`was not played to its end: ${String(error)}`], comparison: null };
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
