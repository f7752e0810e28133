/** What a window keeps of a list that another program fills. */
export interface ListLimits<T> {
  readonly most: number;
  readonly mostChars: number;
  chars(item: T): number;
}

/**
 * The newest items, at the end of the list, that are within the limits; the list itself if all are. Leaves room when it removes some, so that not
 * every new item moves all others. The newest one always stays.
 */
export function newestWithin<T>(items: readonly T[], { most, mostChars, chars }: ListLimits<T>): readonly T[] {
  let sum = 0;
  for (const item of items) sum += chars(item);
  if (items.length <= most && sum <= mostChars) return items;
  let from = items.length;
  let kept = 0;
  while (from > 0) {
    kept += chars(items[from - 1] as T);
    const isOver = items.length - from >= most * 0.75 || kept > mostChars * 0.75;
    if (isOver && from < items.length) break;
    from -= 1;
  }
  return items.slice(from);
}
