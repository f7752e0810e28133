import type { IDisposable } from '../../util/Disposables.ts';
import type { McpReadService } from '../server/McpReadService.ts';

/** Calls `changed` when a terminal becomes visible or stops being visible; most changes of terminals do not affect the list. */
export function followListing({ onTerminals, record }: McpReadService, changed: () => void): IDisposable {
  const listed = (): string =>
    record
      .open()
      .map(({ id }) => id)
      .sort()
      .join();
  let last = listed();
  return onTerminals(() => {
    const now = listed();
    if (now === last) return;
    last = now;
    changed();
  });
}
