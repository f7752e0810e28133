import { appendFileSync } from 'node:fs';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';

/** A conversation in a terminal's record. */
export interface Talk {
  readonly terminalId: string;
  readonly agent: string;
  readonly cwd: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly said: readonly { readonly kind: 'user' | 'model'; readonly text: string; readonly atMs: number }[];
  /** The agent's session id, if its exit lines were seen. */
  readonly resumeId?: string;
}

/** Appends the conversation to its terminal's chat.jsonl; makes the terminal's folder. */
export function recordTalk(dataFolder: string, { terminalId, agent, cwd, fromMs, toMs, said, resumeId }: Talk): void {
  const folder = new SessionFolder(dataFolder, terminalId);
  folder.create();
  const conversationId = `c-${terminalId}`;
  const base = { terminalId, conversationId };
  const blockId = 'b1';
  const provenance = { rawStart: 0, rawEnd: 1, seq: 1, extractor: agent, extractorVersion: 1, confidence: 1 };
  const lines = [
    { ...base, type: 'cli:newSession', id: `${terminalId}-new`, order: 0, atMs: fromMs, at: 0, agent, cwd, blockId },
    ...said.map(({ kind, text, atMs }, at) => ({
      ...{ ...base, id: `${terminalId}-${at}`, order: at + 1, kind, text, final: true },
      ...{ startedMs: atMs, updatedMs: atMs, provenance },
    })),
    {
      ...{ ...base, type: 'cli:exit', id: `${terminalId}-exit`, order: said.length + 1, atMs: toMs, at: 1 },
      ...(resumeId !== undefined && { resumeId }),
    },
  ];
  appendFileSync(folder.chatJsonl, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
