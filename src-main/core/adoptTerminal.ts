import type { PtyHostClient } from '../ptyHost/client/PtyHostClient.ts';
import { attendanceOf, stretchesOf } from '../ptyHost/client/stretchesOf.ts';
import { isHostsAnswer } from '../ptyHost/host/QueryAnswers.ts';
import type { HeldTerminal } from '../ptyHost/protocol/messages.ts';
import { openRegular, readSmall } from '../store/files/readPiece.ts';
import { type ReopenedTerminal, reopenTerminal, type SizeAt } from '../store/record/reopen.ts';
import type { SessionFolder } from '../store/record/SessionFolder.ts';
import { AdoptedShell, type ScreenStart, type ShownPiece } from '../terminal/AdoptedShell.ts';
import type { BlocksBefore } from '../terminal/blocks/BlockMemory.ts';
import { cutsFor, shellBefore } from '../terminal/blocks/shellBefore.ts';
import { readShellNote } from '../terminal/ShellOutput.ts';
import { SavedReports } from '../terminal/ShellReports.ts';
import type { Log } from '../util/Log.ts';

/** Output before the open command from which the screen is rebuilt; its scrollback of 1,000 lines is seldom longer. */
const SHOWN_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const LF = 0x0a;

/** The point where the record of a terminal continues. `shown`: start of its screen, if its shell runs. */
export interface TerminalStart extends BlocksBefore {
  readonly rawSize: number;
  /** Sizes that it had; without them, only the one that it has now. */
  readonly sizes?: readonly SizeAt[];
  readonly shown?: ScreenStart;
}

export interface Adopted {
  readonly reopened: ReopenedTerminal;
  readonly shell: AdoptedShell;
  readonly shown: ScreenStart;
  readonly before: TerminalStart['before'];
  readonly hookKey: string | null;
}

export interface AdoptSpec {
  readonly host: PtyHostClient;
  readonly folder: SessionFolder;
  readonly held: HeldTerminal;
  readonly nowMs: number;
  readonly log: Log;
}

/** Opens the record of a shell that runs in the PTY host, for a terminal that continues it. Rejects if the disk refuses. */
export async function adoptTerminal({ host, folder, held, nowMs, log }: AdoptSpec): Promise<Adopted> {
  const { keep: from, end, start } = held;
  const { plan, hookKey } = readShellNote(held.note);
  const reopened = await reopenTerminal(folder, { start, from, nowMs, log });
  const { sizes } = reopened;
  const shown = await piecesBefore(folder.raw, { from: Math.max(start, from - SHOWN_BYTES), to: from }, sizes);
  const first = shown[0]?.offset ?? from;
  const before = shellBefore(reopened, held);
  const stretches = await stretchesOf(held, { times: folder.times, sizes, ...cutsFor(before) });
  const answered = held.answered ?? { at: held.lostAt ?? from, count: 0 };
  const shell = new AdoptedShell({
    ...{ plan, from, end, shown },
    reports: await readReports(folder),
    process: host.adopt(held, folder.root, stretches),
    nonce: held.nonce,
    attendance: attendanceOf(held),
    answered,
    size: { cols: held.cols, rows: held.rows },
    isUnmarked: from === start && reopened.earlier.some(({ kind }) => kind === 'session'),
    isAnswered: isHostsAnswer,
  });
  return {
    reopened,
    shell,
    hookKey,
    before,
    shown: { offset: first, size: sizeAt(sizes, first), answersFrom: Math.max(from, answered.at) },
  };
}

async function readReports({ shellJson }: SessionFolder): Promise<SavedReports | null> {
  const text = await readSmall(shellJson).catch(() => '');
  try {
    return SavedReports.parse(JSON.parse(text));
  } catch {
    return null; // missing or damaged: the shell's next report replaces it
  }
}

/** The bytes [from, to) of output.raw in pieces of one terminal size each. They begin after a line end or at the shell's start. */
async function piecesBefore(
  path: string,
  { from, to }: { from: number; to: number },
  sizes: readonly SizeAt[],
): Promise<ShownPiece[]> {
  if (from >= to) return [];
  const bytes = new Uint8Array(to - from);
  const file = await openRegular(path);
  await file.read(bytes, 0, bytes.length, from).finally(() => file.close());
  const begin = bytes.length < SHOWN_BYTES ? 0 : bytes.indexOf(LF) + 1;
  const pieces: ShownPiece[] = [];
  for (let at = begin; at < bytes.length; ) {
    const offset = from + at;
    const next = sizes.find((size) => size.offset > offset)?.offset ?? to;
    const length = Math.min(PIECE_BYTES, next - offset, to - offset);
    const size = sizes.findLast((one) => one.offset === offset) ?? null;
    pieces.push({ offset, bytes: bytes.slice(at, at + length), size: at > begin ? size : null });
    at += length;
  }
  return pieces;
}

function sizeAt(sizes: readonly SizeAt[], offset: number): { cols: number; rows: number } {
  const { cols, rows } = sizes.findLast((size) => size.offset <= offset) ?? (sizes[0] as SizeAt);
  return { cols, rows };
}
