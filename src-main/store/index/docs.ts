import { createHash } from 'node:crypto';
import { Block } from '../../contract/block.ts';
import { ChatMessage, isFoundElsewhere } from '../../contract/chat/chat.ts';
import { stampOf } from '../files/openRecordFile.ts';
import { parseLine } from '../files/readJsonLines.ts';
import type { SessionFolder } from '../record/SessionFolder.ts';
import { foldText } from './foldText.ts';
import { readEnds } from './readEnds.ts';
import type { SourceLine } from './sourceLines.ts';

/** The words of a block or message; '' for parts that it does not have. */
export interface DocWords {
  cmd: string;
  output: string;
  chat: string;
  isLeftOut: boolean;
}

/** A row of `docs` before it is written, without the columns that only the writer knows. */
export interface Doc {
  readonly id: string;
  readonly isMessage: boolean;
  readonly atMs: number;
  /** Order within the terminal: a block's seq, a message's order. */
  readonly place: number;
  readonly cmd: string | null;
  readonly cwd: string | null;
  readonly exitCode: number | null;
  readonly status: string | null;
  readonly lineAt: number;
  readonly lineBytes: number;
  readonly outLines: number;
  /** A running block, or a message that still streams. Its text is not indexed yet. */
  readonly isOpen: boolean;
  /** Text of a message; a block's text is in its file. */
  readonly text: string | null;
}

/** Parses a line of blocks.jsonl; null if it is not a block. */
export function blockDoc({ line, at, end }: SourceLine): Doc | null {
  const block = line && parseLine(line, (json) => Block.parse(json));
  if (!block || block.ephemeral) return null;
  const { id, startedMs, seq, cmd, cwd, exitCode, status, outputLines } = block;
  return {
    ...{ id, isMessage: false, atMs: startedMs, place: seq, cmd, cwd, exitCode, status, outLines: outputLines },
    ...{ lineAt: at, lineBytes: end - at, isOpen: status === 'running', text: null },
  };
}

/** Parses a line of chat.jsonl as a message. Null for events and damage, which have no text, and for redrawn messages, found at their origin. */
export function messageDoc({ line, at, end }: SourceLine): Doc | null {
  const message = line && parseLine(line, (json) => ChatMessage.parse(json));
  if (!message || isFoundElsewhere(message)) return null;
  const { id, startedMs, order, final } = message;
  return {
    ...{ id, isMessage: true, atMs: startedMs, place: order, cmd: null, cwd: null, exitCode: null, status: null },
    ...{ outLines: 0, lineAt: at, lineBytes: end - at, isOpen: !final, text: messageText(message) },
  };
}

/** All text of a message: its text, its tool's name, input and output if the text does not contain them, and the answer to a question. */
export function messageText({ text, tool, question }: Pick<ChatMessage, 'text' | 'tool' | 'question'>): string {
  const choice = question?.verdict?.choice;
  const texts = [tool?.name, tool?.input, tool?.output].filter((part) => part !== undefined && !text.includes(part));
  const parts = choice ? [...texts, `Answered: ${choice}`] : texts;
  return [text, ...parts].filter((part) => part !== '').join('\n');
}

/** Changes when the text may have changed. Empty while the text is not indexed. */
export function stampOfDoc(folder: SessionFolder, doc: Doc): string {
  if (doc.text !== null) return createHash('sha1').update(doc.text).digest('base64').slice(0, 16);
  return doc.isOpen ? '' : `${doc.outLines}:${stampOf(folder.out(doc.id))}`;
}

/** Reads the words of a doc. A running block has only its command. */
export async function wordsOf(folder: SessionFolder, doc: Doc): Promise<DocWords> {
  if (doc.text !== null) return { cmd: '', output: '', chat: foldText(doc.text), isLeftOut: false };
  const { head, tail, isLeftOut } = doc.isOpen
    ? { head: '', tail: '', isLeftOut: false }
    : await readEnds(folder.out(doc.id));
  return {
    cmd: foldText(doc.cmd ?? ''),
    output: foldText(tail === '' ? head : `${head}\n${tail}`),
    chat: '',
    isLeftOut,
  };
}
