import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';

const BLOCKS = 60;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('2026-01-05T08:00:00Z');

/** Writes the records of `count` closed terminals, 15 minutes apart, with 60 commands each; every tenth has a conversation. */
export function writeClosedTerminals(dataFolder: string, count: number): void {
  for (let n = 0; n < count; n += 1) writeOne(new SessionFolder(dataFolder, `t${String(n).padStart(6, '0')}-abcd`), n);
}

function writeOne(folder: SessionFolder, n: number): void {
  mkdirSync(folder.blocksDir, { recursive: true, mode: 0o700 });
  const startMs = FIRST_MS + (n * DAY_MS) / 96;
  const endMs = startMs + BLOCKS * 1000;
  const { id } = folder;
  const meta = { version: 1, id, shell: 'bash', argv: ['/bin/bash'], cwd: '/home/tester/project', cols: 120, rows: 40 };
  const lines = Array.from({ length: BLOCKS }, (_, i) => blockOf(id, i + 1, startMs + i * 1000));
  const texts: Readonly<Record<string, string>> = {
    [folder.meta]: `${JSON.stringify({ ...meta, createdMs: startMs, title: `session ${n}`, closedMs: endMs })}\n`,
    [folder.raw]: 'done\r\n'.repeat(BLOCKS),
    [folder.blocksJsonl]: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    [folder.out(lines.at(-1)?.id ?? '')]: 'done\n',
    ...(n % 10 === 0 && { [folder.chatJsonl]: chatOf(id, startMs) }),
  };
  for (const [path, text] of Object.entries(texts)) {
    writeFileSync(path, text, { mode: 0o600 });
    utimesSync(path, endMs / 1000, endMs / 1000);
  }
  utimesSync(folder.root, endMs / 1000, endMs / 1000);
}

function blockOf(terminalId: string, seq: number, startedMs: number) {
  const raw = { rawStart: (seq - 1) * 6, rawEnd: seq * 6, outputBytes: 5, outputLines: 1 };
  const ends = { endedMs: startedMs + 500, durationMs: 500, exitCode: 0, endedBy: 'mark', status: 'completed' };
  return {
    id: `b${seq}-ab`,
    terminalId,
    seq,
    cmd: `make step-${seq}`,
    cwd: '/',
    startedMs,
    trusted: true,
    ...ends,
    ...raw,
  };
}

function chatOf(terminalId: string, startedMs: number): string {
  const provenance = { rawStart: 0, rawEnd: 0, seq: 1, extractor: 'bench', extractorVersion: 1, confidence: 1 };
  const common = { terminalId, conversationId: 'c1', final: true, startedMs, updatedMs: startedMs, provenance };
  const messages = [
    { id: 'm1', order: 1, kind: 'user', text: 'what is next?' },
    { id: 'm2', order: 2, kind: 'model', text: 'the next step' },
  ] as const;
  return messages.map((own) => `${JSON.stringify(ChatMessage.parse({ ...common, ...own }))}\n`).join('');
}
