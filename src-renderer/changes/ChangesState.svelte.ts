import { getContext, setContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { ChangedFile, ChangePatch, ChangeSet, ConversationChanges } from '../../src-main/contract/changes.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { ConversationRef, Stop } from '../rpc/Rpc.ts';
import { copyText } from '../ui/browser/copyText.ts';
import type { ChangesPlace } from './ChangesPlace.svelte.ts';

/** A turn in progress is read again at this interval, because its files change while the person looks. */
const LIVE_MS = 3_000;
/** The files of this many turns are shown from the start. */
const OPEN_TURNS = 3;

/** Number of a turn, or null for all turns. */
export type Turn = number | null;

/** The state of the changes view of one conversation. */
export class ChangesState {
  readonly app: AppState;
  readonly ref: ConversationRef;
  known = $state.raw<ConversationChanges | null>(null);
  fault = $state<string | null>(null);
  readonly place: ChangesPlace;
  readonly sets = new SvelteMap<Turn, ChangeSet | null>();
  readonly patches = new SvelteMap<string, ChangePatch | { error: string }>();

  /** Files in the order of the view. */
  readonly rows = $derived.by(() => {
    const turns: Turn[] =
      this.place.range === 'all'
        ? [null]
        : (this.known?.turns ?? []).map(({ turn }) => turn).filter((turn) => this.isOpenTurn(turn));
    return turns.flatMap((turn) =>
      (this.sets.get(turn)?.files ?? []).map((file) => ({ turn, file, key: keyOf(turn, file.id) })),
    );
  });
  /** The only row that Tab reaches. */
  readonly tabStop = $derived((this.rows.find(({ key }) => key === this.place.cursor) ?? this.rows[0])?.key);

  constructor(app: AppState, ref: ConversationRef, place: ChangesPlace) {
    this.app = app;
    this.ref = ref;
    this.place = place;
  }

  /** Follows changes while the view is shown. */
  start(): Stop {
    void this.reload();
    const { terminalId } = this.ref;
    const stop = this.app.rpc.changes.onChange({ terminalId }, ({ conversationId }) => {
      if (conversationId === this.ref.conversationId) void this.reload();
    });
    const timer = setInterval(() => {
      for (const [turn, set] of this.sets) if (set?.isLive) void this.read(turn);
    }, LIVE_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }

  isOpenTurn(turn: number): boolean {
    const newest = this.known?.turns.slice(0, OPEN_TURNS) ?? [];
    return this.place.turns.get(turn) ?? newest.some((one) => one.turn === turn);
  }

  toggleTurn(turn: number): void {
    this.place.turns.set(turn, !this.isOpenTurn(turn));
  }

  async reload(): Promise<void> {
    try {
      this.known = await this.app.rpc.changes.turns(this.ref);
      this.fault = null;
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
      return;
    }
    await Promise.all([...this.sets.keys()].map((turn) => this.read(turn)));
  }

  /** Reads the files of a turn, and the open changes of its files again. */
  async read(turn: Turn): Promise<void> {
    try {
      const set = await this.app.rpc.changes.read({ ...this.ref, turn });
      this.sets.set(turn, set);
      const files = new Set(set?.files.map(({ id }) => keyOf(turn, id)));
      for (const key of this.place.files)
        if (files.has(key)) void this.readPatch(turn, key.slice(key.indexOf('/') + 1));
    } catch (error) {
      if (!this.sets.has(turn)) this.fault = error instanceof Error ? error.message : String(error);
    }
  }

  toggleFile(turn: Turn, { id }: ChangedFile): void {
    const key = keyOf(turn, id);
    this.place.cursor = key;
    if (this.place.files.delete(key)) return;
    this.place.files.add(key);
    void this.readPatch(turn, id);
  }

  async readPatch(turn: Turn, fileId: string): Promise<void> {
    const key = keyOf(turn, fileId);
    try {
      this.patches.set(key, await this.app.rpc.changes.patch({ ...this.ref, turn, fileId }));
    } catch (error) {
      this.patches.set(key, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  async copyPatch(turn: Turn, fileId: string | null): Promise<void> {
    const { notices, rpc } = this.app;
    try {
      const read = rpc.changes.wholePatch({ ...this.ref, turn, fileId });
      await copyText(read.then(({ text }) => text));
      notices.say(strings.changes.copiedPatch);
    } catch (error) {
      notices.fail(strings.changes.copyFailed, error);
    }
  }

  /** Opens a file in the editor, or copies its path if no editor is set. */
  async openFile(turn: Turn, { id, path }: ChangedFile): Promise<void> {
    const { notices, rpc, terminals } = this.app;
    const words = strings.changes.file;
    const verdict = await rpc.changes.open({ ...this.ref, turn, fileId: id });
    if (!verdict.opened) {
      const root = this.known?.root ?? '';
      await navigator.clipboard.writeText(root === '' ? path : `${root}/${path}`).catch(() => undefined); // no permission
      notices.fail(words.notOpened(verdict.reason));
    } else if (verdict.terminalId === null) notices.say(words.opened(path));
    else terminals.activate(verdict.terminalId);
  }

  /** Asks, then restores a file. */
  async restore(turn: Turn, { id, path, status }: ChangedFile): Promise<void> {
    const { dialogs, notices, rpc } = this.app;
    const words = strings.changes.restore;
    const isAdded = status === 'added';
    const wantsIt = await dialogs.ask({
      title: words.title(path),
      body: isAdded ? words.bodyAdded : words.body,
      confirm: isAdded ? words.confirmAdded : words.confirm,
      isDangerous: true,
    });
    if (!wantsIt) return;
    const verdict = await rpc.changes.restore({ ...this.ref, turn, fileId: id });
    if (!verdict.ok) notices.fail(words.failed(verdict.reason));
    else notices.say(verdict.isRemoved ? words.removed(path, verdict.snapshot) : words.done(path, verdict.snapshot));
  }
}

export function keyOf(turn: Turn, fileId: string): string {
  return `${turn ?? 'all'}/${fileId}`;
}

const KEY = Symbol('changes');

export function provideChanges(state: ChangesState): ChangesState {
  return setContext(KEY, state);
}

export function getChanges(): ChangesState {
  return getContext<ChangesState>(KEY);
}
