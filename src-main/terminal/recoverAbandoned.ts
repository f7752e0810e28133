import { ConversationRecorder } from '../conversations/record/ConversationRecorder.ts';
import { removeMark, wasAbandoned } from '../store/instance/writerMark.ts';
import { recoverTerminal } from '../store/record/recover.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { BlockStore } from './blocks/BlockStore.ts';
import type { BookDeps } from './TerminalDeps.ts';
import { TerminalRecord } from './TerminalRecord.ts';

/**
 * Repairs the records of killed `hansard record` processes: closes an open block as interrupted and derives its text.
 * Leaves records of living ones alone. Logs a failure, and tries again at the next start. Returns the ids.
 */
export async function recoverAbandoned(dataFolder: string, deps: BookDeps): Promise<string[]> {
  const recovered: string[] = [];
  for (const id of SessionFolder.list(dataFolder)) {
    const folder = new SessionFolder(dataFolder, id);
    if (!wasAbandoned(folder)) continue;
    try {
      await recoverOne(folder, deps);
      recovered.push(id);
    } catch (error) {
      deps.log('recovery_failed', { terminalId: id, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return recovered;
}

async function recoverOne(folder: SessionFolder, deps: BookDeps): Promise<void> {
  const { meta, blocks, nextSeq, rawSize, interrupted, textLost } = await recoverTerminal(folder, {
    nowMs: deps.clock.nowMs(),
    log: deps.log,
  });
  const record = new TerminalRecord(folder, { meta, rawSize }, deps);
  const book = new BlockStore(deps, record, { nextSeq, blocks });
  await book.texts.repair([...interrupted, ...textLost]);
  const chat = new ConversationRecorder(record, deps);
  await chat.repair();
  await Promise.all([book.close(), chat.close()]);
  await record.close();
  removeMark(folder);
}
