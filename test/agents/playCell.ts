import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Cell, knownCell } from './cells.ts';
import { chatOfRecording } from './compare/chatOfRecording.ts';
import { addScores, type Comparison, compare, emptyScore } from './compare/compare.ts';
import { unlinked } from './compare/unlinked.ts';
import { type Recording, record, writeRecording } from './drive/record.ts';
import { installedVersion } from './launch/Agent.ts';
import { type Counts, countsOf } from './versions/measure.ts';

/** Result of one terminal. */
export interface PlayedTerminal {
  readonly comparison: Comparison;
  /** Counts of the app's live record, in the form that figures.json keeps. */
  readonly counts: Counts;
  /** Folder of the recording, or null if it was not kept. */
  readonly folder: string | null;
}

export interface Played {
  readonly version: string;
  /** Readable problems other than faults of the record. */
  readonly problems: readonly string[];
  /** Comparison over all terminals, or null if the case did not finish. */
  readonly comparison: Comparison | null;
  /** Terminals in the order of their opening; empty if the case did not finish. */
  readonly terminals: readonly PlayedTerminal[];
}

interface Keeping {
  readonly target: string | null;
  readonly isOffline: boolean;
  readonly isCompressed: boolean;
}

/** Plays a cell and writes its recordings into `target`. Never throws because of an agent's behaviour. */
export async function playCell(cell: Cell, keeping: Keeping): Promise<Played> {
  const known = knownCell(cell);
  const [agent] = known.agents;
  const version = (agent && installedVersion(agent)) ?? 'unknown';
  try {
    const { recordings, problems } = await record({ ...cell, ...known });
    const terminals: PlayedTerminal[] = [];
    for (const recording of recordings) terminals.push(await judged(recording, terminals.length + 1, keeping));
    const links = keeping.isOffline ? [] : unlinked(recordings);
    const faults = [...terminals.flatMap(({ comparison }) => comparison.faults), ...links];
    const score = terminals.reduce((sum, { comparison }) => addScores(sum, comparison), emptyScore());
    return { version, problems, comparison: { ...score, faults }, terminals };
  } catch (error) {
    return { version, problems: [`was not played to its end: ${String(error)}`], comparison: null, terminals: [] };
  }
}

async function judged(recording: Recording, terminal: number, keeping: Keeping): Promise<PlayedTerminal> {
  const { target, isOffline, isCompressed } = keeping;
  const { expected, recorded, cast } = recording;
  const folder = target === null ? null : basename(writeRecording(target, recording, { terminal, isCompressed }));
  const chat = isOffline ? await chatOfRecording({ cast: written(cast), expected }) : recorded;
  return { comparison: compare(expected, chat), counts: countsOf(expected, recorded), folder };
}

function written(cast: string): string {
  const folder = join(process.env.TMPDIR ?? '/tmp', 'hansard-rig');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${process.pid}.cast`);
  writeFileSync(path, cast);
  return path;
}
