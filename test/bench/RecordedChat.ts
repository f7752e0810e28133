import { ExtractorFactory } from '../../src-main/conversations/extraction/extractors/ExtractorFactory.ts';
import { PtyChatSession } from '../../src-main/conversations/extraction/PtyChatSession.ts';
import { PtyChatSnapshotExtractor } from '../../src-main/conversations/extraction/PtyChatSnapshotExtractor.ts';
import { ConversationRecorder } from '../../src-main/conversations/record/ConversationRecorder.ts';
import type { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import type { TerminalRecord } from '../../src-main/terminal/TerminalRecord.ts';
import type { Clock } from '../../src-main/util/Clock.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import type { WorkerInProcess } from './WorkerInProcess.ts';

/** Records the conversations of a screen, from its steps to chat.jsonl. */
export class RecordedChat {
  readonly #record: ConversationRecorder;
  readonly #session: PtyChatSession;
  readonly #factory = new ExtractorFactory();
  readonly #clock: Clock;
  #run: { agent: string; extractor: PtyChatSnapshotExtractor } | null = null;
  #at = 0;
  steps = 0;

  constructor(screen: WorkerInProcess, folder: SessionFolder, clock: Clock) {
    let given = 0;
    const newId = (): string => {
      given += 1;
      return `m${given}`;
    };
    this.#clock = clock;
    this.#session = new PtyChatSession('t1', newId);
    const of = { folder, meta: { id: 't1' }, reportFault: refuse, flush: () => undefined };
    this.#record = new ConversationRecorder(of as unknown as TerminalRecord, { clock, log: silentLog });
    screen.followSteps((step) => {
      this.steps += 1;
      this.#at = step.at;
      this.#record.write(this.#run?.extractor.take(step) ?? []);
    });
  }

  get messages(): number {
    return this.#session.messages.length;
  }

  /** Names the agent that prints the next steps. */
  agentIs(agent: string): void {
    if (this.#run?.agent === agent) return;
    const now = { at: this.#at, atMs: this.#clock.nowMs() };
    this.#record.write(this.#run?.extractor.end(now) ?? []);
    const extractor = new PtyChatSnapshotExtractor(this.#session, this.#factory, agent);
    this.#run = { agent, extractor };
    this.#record.write(extractor.begin({ ...now, cwd: null, blockId: null }));
  }

  async close(): Promise<void> {
    await this.#record.close();
  }
}

function refuse(file: string, reason: string | null): void {
  if (reason !== null) throw new Error(`${file}: ${reason}`);
}
