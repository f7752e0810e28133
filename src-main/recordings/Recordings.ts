import { stat } from 'node:fs/promises';
import type { CastPiece, RecordedTerminal } from '../contract/api.ts';
import type { ChatLine, Conversation } from '../contract/chat/chat.ts';
import { readMetaAsIs } from '../store/files/readAsIs.ts';
import { livingWriter } from '../store/instance/writerMark.ts';
import { markExported } from '../store/record/retention.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import type { BlockStore } from '../terminal/blocks/BlockStore.ts';
import { castOfChat, turnMarks } from './castOfChat.ts';
import { type CastSource, exportCast } from './exportCast.ts';

/** A message is at most 1 MiB; escaping may turn one character into six. */
const PIECE_CHARS = 128 * 1024;
/** More than a person looks through; the command line lists all. */
const MAX_LISTED = 200;

interface CastWish {
  id: string;
  blockId?: string | undefined;
  /** Limits the recording to the conversation, from the agent's start to its end. */
  conversationId?: string | undefined;
  version: 2 | 3;
  title: string | null;
}

/** Conversations recorded in a terminal. */
interface RecordedChats {
  whole(id: string, conversationId: string): Promise<{ conversation: Conversation; lines: readonly ChatLine[] } | null>;
  lines(id: string): Promise<readonly ChatLine[]>;
}

/** A window's access to recorded terminals: opens one without a tab, and exports all or a part of one as an asciicast. */
export class Recordings {
  readonly #dataFolder: string;
  readonly #isOpen: (id: string) => boolean;
  readonly #bookOf: (id: string) => BlockStore | undefined;
  readonly #chats: RecordedChats;

  constructor(spec: {
    dataFolder: string;
    isOpen: (id: string) => boolean;
    /** Blocks of a terminal in a tab. */
    bookOf: (id: string) => BlockStore | undefined;
    chats: RecordedChats;
  }) {
    this.#dataFolder = spec.dataFolder;
    this.#isOpen = spec.isOpen;
    this.#bookOf = spec.bookOf;
    this.#chats = spec.chats;
  }

  async list(): Promise<RecordedTerminal[]> {
    const ids = SessionFolder.list(this.#dataFolder).filter((id) => !this.#isOpen(id));
    const found = await Promise.all(ids.map((id) => this.#look(new SessionFolder(this.#dataFolder, id))));
    return found
      .filter((one) => one !== null)
      .sort((a, b) => b.usedMs - a.usedMs)
      .slice(0, MAX_LISTED);
  }

  /** Ends with `end`; without it, an error occurred and the text is incomplete. Holds one piece at a time. */
  async *cast(wish: CastWish, signal?: AbortSignal): AsyncGenerator<CastPiece> {
    const folder = new SessionFolder(this.#dataFolder, wish.id);
    this.#bookOf(wish.id)?.flush();
    const cast = wish.conversationId === undefined ? await this.#open(wish) : await this.#openChat(wish);
    yield { type: 'start' };
    for await (const text of cast.text) {
      for (let at = 0; at < text.length; at += PIECE_CHARS) {
        if (signal?.aborted) return;
        yield { type: 'text', text: text.slice(at, at + PIECE_CHARS) };
      }
    }
    await markExported(folder);
    yield { type: 'end', ...(cast.lost && { lost: cast.lost.reason }) };
  }

  async #open({ id, blockId, version, title }: CastWish): Promise<CastSource> {
    const folder = new SessionFolder(this.#dataFolder, id);
    const meta = await readMetaAsIs(folder);
    if (!meta) throw new Error(`No record of a terminal "${id}"`);
    const block = blockId === undefined ? null : await this.#bookOf(id)?.get(blockId);
    if (blockId !== undefined && !block) throw new Error(`No block "${blockId}" in terminal "${id}"`);
    await this.#bookOf(id)?.reader.requireBytes({ rawEnd: block?.rawEnd ?? null });
    const name = block?.cmd ?? meta.name ?? (meta.title || null);
    return exportCast({
      folder,
      meta,
      version,
      title: title ?? name,
      idleLimitS: null,
      marks: turnMarks(await this.#chats.lines(id)),
      ...(block && { part: block }),
    });
  }

  async #openChat({ id, conversationId = '' }: CastWish): Promise<CastSource> {
    const chat = await this.#chats.whole(id, conversationId);
    const cast = chat && (await castOfChat(new SessionFolder(this.#dataFolder, id), chat));
    if (!cast) throw new Error(`No conversation "${conversationId}" in terminal "${id}"`);
    return cast;
  }

  /** Null for a folder without a readable meta.json, and for a terminal that another process is recording. */
  async #look(folder: SessionFolder): Promise<RecordedTerminal | null> {
    const meta = await readMetaAsIs(folder);
    if (!meta || livingWriter(folder) !== null) return null;
    const { mtimeMs } = await stat(folder.meta);
    const { id, shell, cwd, createdMs, name = null, title, origin = null } = meta;
    return { id, name: name ?? (title || null), shell, cwd, createdMs, usedMs: Math.round(mtimeMs), origin };
  }
}
