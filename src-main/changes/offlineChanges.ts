import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangeRange, ChangeSet, ConversationChanges } from '../contract/changes.ts';
import type { ChatLine } from '../contract/chat/chat.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { ChangeReader } from './ChangeReader.ts';
import { latestLines, readChangeLines } from './ChangesFile.ts';
import type { Env } from './git.ts';
import { rootOf } from './readChanges.ts';
import { Shadow } from './Shadow.ts';
import { turnTools } from './turnCommands.ts';
import { turnRanges, turnView } from './turnsOf.ts';

/** Reads changes from a running core or from the files. */
export interface ChangeSource {
  turns(of: Omit<ChangeRange, 'turn'>): Promise<ConversationChanges>;
  read(wanted: ChangeRange): Promise<ChangeSet | null>;
  wholePatch(wanted: ChangeRange & { fileId: string | null }): Promise<string>;
}

export interface OfflineSpec {
  readonly dataFolder: string;
  readonly env: Env;
  chatLines(terminalId: string, conversationId: string): Promise<readonly ChatLine[]>;
}

/** Reads from the files of a record that no core writes, and writes nothing there. Git needs a temporary folder for it. */
export async function withOfflineChanges<T>(spec: OfflineSpec, use: (source: ChangeSource) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hansard-changes-'));
  try {
    return await use(offlineSource(spec, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function offlineSource({ dataFolder, env, chatLines }: OfflineSpec, folder: string): ChangeSource {
  const lines = async (terminalId: string, conversationId: string) =>
    latestLines(await readChangeLines(new SessionFolder(dataFolder, terminalId).changesJsonl), conversationId);
  const reader = new ChangeReader({
    lines,
    open: ({ root, common }) => Shadow.open({ tree: { root, gitFolder: common }, folder, env }),
    now: () => null,
  });
  return {
    turns: async ({ terminalId, conversationId }) => {
      const known = await lines(terminalId, conversationId);
      return { isOn: true, turns: turnRanges(known).map(turnView).reverse(), ...rootOf(known) };
    },
    read: async (wanted) => {
      const found = await reader.find(wanted);
      if (!found) return null;
      const said = await chatLines(wanted.terminalId, wanted.conversationId);
      const commands = turnTools(said, await reader.ranges(wanted), wanted.turn);
      return { ...(await reader.compare(found)), isLive: false, commands };
    },
    wholePatch: (wanted) => reader.wholePatch(wanted),
  };
}
