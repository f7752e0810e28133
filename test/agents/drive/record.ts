import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { exportCast } from '../../../src-main/recordings/exportCast.ts';
import { readMeta } from '../../../src-main/store/record/readMeta.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import type { Expected } from '../compare/expected.ts';
import { type ReadChat, readChat } from '../compare/readChat.ts';
import { installedVersion, type RigAgent } from '../launch/Agent.ts';
import { Drive } from './Drive.ts';
import type { Stage } from './Stage.ts';
import type { RigCase } from './steps.ts';
import type { Truth } from './Truth.ts';

/** Names of recordings omit this width. */
const USUAL_COLS = 100;
const SMALLEST = { params: { [constants.ZSTD_c_compressionLevel]: 19 } };

/** One terminal of a played case: the app's export of it, and the true content. */
export interface Recording {
  readonly cast: string;
  readonly expected: Expected;
  /** The conversations that the app recorded live. */
  readonly recorded: ReadChat;
}

export interface PlayedCase {
  /** One per terminal, in the order of their opening. */
  readonly recordings: readonly Recording[];
  readonly problems: readonly string[];
}

export interface RecordRequest {
  readonly case: RigCase;
  readonly agents: readonly RigAgent[];
  readonly variant: string;
  readonly cols: number;
  readonly rows: number;
  readonly isResized: boolean;
}

/** Plays a case from one shell prompt to the last. Throws with the screen's text if the agent does something unexpected. */
export async function record(request: RecordRequest): Promise<PlayedCase> {
  const drive = await Drive.open(request, request.case);
  try {
    await drive.play(request.case.steps);
  } catch (error) {
    await drive.close();
    await drive.core.dispose();
    throw error;
  }
  await drive.close();
  const recordings: Recording[] = [];
  for (const stage of drive.stages) recordings.push(await recordingOf(request, stage, drive.core.dataFolder));
  await drive.core.dispose();
  return { recordings, problems: drive.model.problems };
}

async function recordingOf(request: RecordRequest, { terminal, truth }: Stage, dataFolder: string): Promise<Recording> {
  const folder = new SessionFolder(dataFolder, terminal.view.id);
  const { cast, startMs } = await castOf(folder);
  const text = existsSync(folder.chatJsonl) ? await readFile(folder.chatJsonl, 'utf8') : '';
  const lines = text.split('\n').filter(Boolean);
  const recorded = readChat(
    lines.map((line) => JSON.parse(line)),
    startMs,
  );
  return { cast, expected: expectedOf(request, truth, startMs), recorded };
}

/**
 * Writes a recording to `<folder>/<agent>/<version>-<case>[-<variant>][-w<columns>][-resized][-t<terminal>]/{session.cast,
 * expected.json}`, with `session.cast.zst` instead of `session.cast` if it is compressed. `terminal` counts from 1.
 */
export function writeRecording(
  folder: string,
  { cast, expected }: Recording,
  { terminal, isCompressed }: { terminal: number; isCompressed: boolean },
): string {
  const { agent, version, variant, cols, isResized } = expected;
  const marks = [
    ...(variant === 'default' ? [] : [variant]),
    ...(cols === USUAL_COLS ? [] : [`w${cols}`]),
    ...(isResized ? ['resized'] : []),
    ...(terminal > 1 ? [`t${terminal}`] : []),
  ];
  const target = join(folder, agent, [version, expected.case, ...marks].join('-'));
  mkdirSync(target, { recursive: true });
  if (isCompressed) writeFileSync(join(target, 'session.cast.zst'), zstdCompressSync(cast, SMALLEST));
  else writeFileSync(join(target, 'session.cast'), cast);
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
  return target;
}

async function castOf(folder: SessionFolder): Promise<{ cast: string; startMs: number }> {
  const { meta } = await readMeta(folder, { cwd: null });
  const source = await exportCast({ folder, meta, version: 2, title: null, idleLimitS: null });
  let cast = '';
  for await (const text of source.text) cast += text;
  const { timestamp } = JSON.parse(cast.slice(0, cast.indexOf('\n'))) as { timestamp: number };
  return { cast, startMs: timestamp * 1000 }; // the cast's times start at this whole second
}

function expectedOf(request: RecordRequest, truth: Truth, startMs: number): Expected {
  const [first] = request.agents;
  if (!first) throw new Error('a recording without an agent');
  return {
    about: request.case.about,
    agent: first.name,
    version: installedVersion(first) ?? 'unknown',
    variant: request.variant,
    case: request.case.name,
    cols: request.cols,
    rows: request.rows,
    ...(request.isResized && { isResized: true }),
    conversations: truth.conversations,
    runs: truth.runs.map(({ agent, fromWallMs, toWallMs }) => ({
      agent,
      fromMs: fromWallMs - startMs,
      toMs: toWallMs - startMs,
    })),
    states: truth.states.map(({ wallMs, untilWallMs, ...rest }) => ({
      atMs: wallMs - startMs,
      ...(untilWallMs !== undefined && { untilMs: untilWallMs - startMs }),
      ...rest,
    })),
  };
}
