import type { IDisposable } from '../../util/Disposables.ts';
import type { McpReadService } from '../server/McpReadService.ts';

/** Calls `changed` when another terminal may be seen, or one no more; most of what happens to them leaves the list as it is. */
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
