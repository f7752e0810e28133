import type { Tool } from '../protocol/Tool.ts';
import { agentsAnswer } from './agents/agentsAnswer.ts';
import { agentsList } from './agents/agentsList.ts';
import { agentsPrompt } from './agents/agentsPrompt.ts';
import { agentsRead } from './agents/agentsRead.ts';
import { blocksGet } from './blocks/blocksGet.ts';
import { blocksRead } from './blocks/blocksRead.ts';
import { blocksSearch } from './blocks/blocksSearch.ts';
import { blocksSince } from './blocks/blocksSince.ts';
import { chatsExport } from './chats/chatsExport.ts';
import { chatsList } from './chats/chatsList.ts';
import { chatsRead } from './chats/chatsRead.ts';
import { ptyScreenDeltas } from './screen/ptyScreenDeltas.ts';
import { ptySnapshot } from './screen/ptySnapshot.ts';
import { ptySnapshotWait } from './screen/ptySnapshotWait.ts';
import { ptyControl } from './terminal/ptyControl.ts';
import { ptyExec } from './terminal/ptyExec.ts';
import { ptyInterrupt } from './terminal/ptyInterrupt.ts';
import { ptyList } from './terminal/ptyList.ts';
import { ptyNotify } from './terminal/ptyNotify.ts';
import { ptyOpen } from './terminal/ptyOpen.ts';
import { ptyReadRaw } from './terminal/ptyReadRaw.ts';
import { ptyResize } from './terminal/ptyResize.ts';
import { ptySend } from './terminal/ptySend.ts';
import { ptyStatus } from './terminal/ptyStatus.ts';
import { ptyStreamSince } from './terminal/ptyStreamSince.ts';
import { ptyWhoami } from './terminal/ptyWhoami.ts';

/** In the order in which they are listed: the tools to call first come first. */
export const TOOLS: readonly Tool[] = [
  ptyList,
  blocksSince,
  blocksRead,
  blocksSearch,
  blocksGet,
  ptySnapshot,
  ptySnapshotWait,
  ptyStatus,
  agentsList,
  agentsRead,
  ptyExec,
  ptyOpen,
  ptyInterrupt,
  ptyStreamSince,
  ptyNotify,
  agentsAnswer,
  agentsPrompt,
  ptyControl,
  ptySend,
  ptyResize,
  ptyWhoami,
  chatsList,
  chatsRead,
  ptyScreenDeltas,
  ptyReadRaw,
  chatsExport,
];
