import type { Tool } from '../Tool.ts';
import { blocksGet } from './blocksGet.ts';
import { blocksRead } from './blocksRead.ts';
import { blocksSearch } from './blocksSearch.ts';
import { blocksSince } from './blocksSince.ts';
import { chatsExport } from './chatsExport.ts';
import { chatsList } from './chatsList.ts';
import { chatsRead } from './chatsRead.ts';
import { ptyControl } from './ptyControl.ts';
import { ptyExec } from './ptyExec.ts';
import { ptyInterrupt } from './ptyInterrupt.ts';
import { ptyList } from './ptyList.ts';
import { ptyNotify } from './ptyNotify.ts';
import { ptyReadRaw } from './ptyReadRaw.ts';
import { ptyResize } from './ptyResize.ts';
import { ptyScreenDeltas } from './ptyScreenDeltas.ts';
import { ptySend } from './ptySend.ts';
import { ptySnapshot } from './ptySnapshot.ts';
import { ptySnapshotWait } from './ptySnapshotWait.ts';
import { ptyStatus } from './ptyStatus.ts';
import { ptyStreamSince } from './ptyStreamSince.ts';
import { ptyWhoami } from './ptyWhoami.ts';

/** In the order in which they are listed: what is to be called first stands first. */
export const TOOLS: readonly Tool[] = [
  ptyList,
  blocksSince,
  blocksRead,
  blocksSearch,
  blocksGet,
  ptySnapshot,
  ptySnapshotWait,
  ptyStatus,
  ptyExec,
  ptyInterrupt,
  ptyStreamSince,
  ptyNotify,
  chatsList,
  chatsRead,
  ptyWhoami,
  ptyControl,
  ptySend,
  ptyResize,
  ptyScreenDeltas,
  ptyReadRaw,
  chatsExport,
];
