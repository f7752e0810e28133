import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { Block } from '../../../src-main/contract/block.ts';
import { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';

/** A change of a record, as its writers leave it on disk. */
export type Act =
  | { type: 'begin'; terminal: number; cmd: string | null }
  | { type: 'end'; terminal: number; output: string; exitCode: number }
  /** Replaces the text of the last block, as rendering does. */
  | { type: 'derive'; terminal: number; output: string }
  | { type: 'bookmark'; terminal: number; at: number }
  | { type: 'say'; terminal: number; text: string; isFinal: boolean }
  | { type: 'goOn'; terminal: number; text: string; isFinal: boolean }
  | { type: 'damage'; terminal: number; line: string }
  | { type: 'remove'; terminal: number };

const WORDS = [
  'alpha',
  'beta',
  'gamma-delta',
  'ünïcode',
  '日本語',
  '🚀',
  'src/a.ts:3',
  'x',
  'alphabet',
  '"quoted"',
  '│',
  'NOT',
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', '\n', ' ', ', ')), { maxLength: 12 })
  .map((all) => all.flat().join(''));
const terminal = fc.nat(2);

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ type: fc.constant('begin' as const), terminal, cmd: fc.option(text) }),
  fc.record({ type: fc.constant('end' as const), terminal, output: text, exitCode: fc.nat(2) }),
  fc.record({ type: fc.constant('end' as const), terminal, output: text, exitCode: fc.nat(2) }),
  fc.record({ type: fc.constant('derive' as const), terminal, output: text }),
  fc.record({ type: fc.constant('bookmark' as const), terminal, at: fc.nat(5) }),
  fc.record({ type: fc.constant('say' as const), terminal, text, isFinal: fc.boolean() }),
  fc.record({ type: fc.constant('goOn' as const), terminal, text, isFinal: fc.boolean() }),
  fc.record({ type: fc.constant('damage' as const), terminal, line: fc.constantFrom('', '{', 'null', '{"id":3}') }),
);
export const anAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 40, arbitrary: anyAct },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), terminal }) },
);

interface Written {
  folder: SessionFolder;
  blocks: Block[];
  messages: ChatMessage[];
}

/** Real files of a random history. Its clock advances by a second at every third change. */
export class History {
  readonly #dataFolder: string;
  readonly #terminals = new Map<number, Written>();
  #made = 0;
  #atMs = Date.UTC(2026, 0, 1);

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  do(act: Act): void {
    const written = this.#terminal(act.terminal);
    const { folder, blocks, messages } = written;
    this.#atMs += this.#made % 3 === 0 ? 1000 : 0;
    this.#made += 1;
    const last = blocks.at(-1);
    const said = messages.at(-1);
    switch (act.type) {
      case 'begin':
        blocks.push(this.#begun(written, act.cmd));
        return this.#write(folder, blocks.at(-1) as Block);
      case 'end':
        if (last?.status !== 'running') return;
        writeFileSync(folder.out(last.id), act.output);
        return this.#change(written, { ...last, ...endOf(act.output, act.exitCode) });
      case 'derive':
        if (!last || last.status === 'running') return;
        rmSync(folder.out(last.id), { force: true });
        writeFileSync(folder.out(last.id), act.output);
        return this.#change(written, { ...last, outputLines: linesOf(act.output) });
      case 'bookmark': {
        const block = blocks[act.at];
        if (block) this.#change(written, { ...block, bookmarked: !block.bookmarked });
        return;
      }
      case 'say':
        messages.push(this.#said(folder.id, act));
        return appendFileSync(folder.chatJsonl, `${JSON.stringify(messages.at(-1))}\n`);
      case 'goOn':
        if (!said) return;
        messages[messages.length - 1] = { ...said, text: `${said.text} ${act.text}`, final: act.isFinal };
        return appendFileSync(folder.chatJsonl, `${JSON.stringify(messages.at(-1))}\n`);
      case 'damage':
        return appendFileSync(folder.blocksJsonl, `${act.line}\n`);
      case 'remove':
        rmSync(folder.root, { recursive: true });
        this.#terminals.delete(act.terminal);
    }
  }

  #terminal(number: number): Written {
    const known = this.#terminals.get(number);
    if (known) return known;
    const folder = new SessionFolder(this.#dataFolder, `t${number}`);
    folder.create();
    const made = { folder, blocks: [], messages: [] };
    this.#terminals.set(number, made);
    return made;
  }

  #begun({ folder, blocks }: Written, cmd: string | null): Block {
    const seq = blocks.length + 1;
    return Block.parse({
      ...{ id: `b${seq}-${this.#made}`, terminalId: folder.id, seq, status: 'running', cmd, cwd: '/home/u' },
      ...{ startedMs: this.#atMs, trusted: true, rawStart: 0 },
    });
  }

  #said(terminalId: string, { text: said, isFinal }: Extract<Act, { type: 'say' }>): ChatMessage {
    const provenance = { rawStart: 0, rawEnd: 0, seq: 0, extractor: 'test', extractorVersion: 1, confidence: 1 };
    return ChatMessage.parse({
      ...{ id: `m${this.#made}`, terminalId, conversationId: 'c1', order: this.#made, kind: 'model', text: said },
      ...{ final: isFinal, startedMs: this.#atMs, updatedMs: this.#atMs, provenance },
    });
  }

  #change({ folder, blocks }: Written, block: Block): void {
    blocks[block.seq - 1] = block;
    this.#write(folder, block);
  }

  #write(folder: SessionFolder, block: Block): void {
    appendFileSync(folder.blocksJsonl, `${JSON.stringify(block)}\n`);
  }
}

function endOf(output: string, exitCode: number): Partial<Block> {
  return { status: 'completed', exitCode, endedMs: 1, outputBytes: output.length, outputLines: linesOf(output) };
}

function linesOf(output: string): number {
  return output.split('\n').length - (output.endsWith('\n') || output === '' ? 1 : 0);
}
