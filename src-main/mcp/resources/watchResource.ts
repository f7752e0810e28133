import { Disposables, type IDisposable, toDisposable } from '../../util/Disposables.ts';
import { refOf } from '../protocol/inputs.ts';
import type { ResourcePlace } from '../protocol/resourceUri.ts';
import type { McpReadService } from '../server/McpReadService.ts';
import type { Served } from '../server/makeServer.ts';

/** Screen changes are reported at most twice a second; the last one always. */
const SCREEN_EVERY_MS = 500;

/** Calls `changed` when the content at the place changes. A closed or hidden resource never fires. */
export function watchResource(place: ResourcePlace, { desk }: Served, changed: () => void): IDisposable {
  switch (place.kind) {
    case 'ptys':
      return watchList(desk, changed);
    case 'screen':
    case 'screen.json':
    case 'screen.png':
    case 'deltas':
      return watchScreen(place.terminalId, desk, changed);
    case 'blocks':
      return desk.feed.onChanged(
        ({ terminalId }) => terminalId === place.terminalId && desk.record.isSeen(terminalId) && changed(),
      );
    case 'output':
    case 'raw':
      return desk.feed.onChanged(
        ({ terminalId, blockId }) =>
          refOf(terminalId, blockId) === place.ref && desk.record.isSeen(terminalId) && changed(),
      );
    case 'inbox':
      return desk.notify.onNoted((client) => client === place.client && changed());
    case 'cast':
    case 'chat':
    case 'audit':
      return toDisposable(() => undefined); // not watchable
  }
}

/** The list changes when a terminal on it changes, is added or is removed; other terminals do not matter. */
function watchList({ onTerminals, gate, record }: McpReadService, changed: () => void): IDisposable {
  const ids = (): string[] => record.open().map(({ id }) => id);
  let listed = ids();
  const look = (changedId: string | null): void => {
    const before = listed;
    listed = ids();
    if (before.join() !== listed.join() || (changedId !== null && listed.includes(changedId))) changed();
  };
  const owned = new Disposables();
  owned.add(onTerminals((change) => look(change.type === 'changed' ? change.terminal.id : null)));
  owned.add(gate.onPolicy(() => look(null)));
  return owned;
}

function watchScreen(terminalId: string, desk: McpReadService, changed: () => void): IDisposable {
  const live = desk.record.isSeen(terminalId) ? desk.record.open().find(({ id }) => id === terminalId)?.live : null;
  if (!live) return toDisposable(() => undefined);
  const owned = new Disposables();
  let timer: NodeJS.Timeout | null = null;
  let toldMs = 0;
  const tell = (): void => {
    timer = null;
    toldMs = performance.now();
    if (desk.record.isSeen(terminalId)) changed();
  };
  // `follow` reports the current screen first. That counts too, because the screen may have changed after the subscriber read it.
  owned.add(
    live.screen.follow(() => {
      timer ??= setTimeout(tell, Math.max(0, SCREEN_EVERY_MS - (performance.now() - toldMs)));
    }),
  );
  owned.add(toDisposable(() => timer && clearTimeout(timer)));
  return owned;
}
