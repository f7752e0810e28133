/** Number of entries that a key moves down, with `inView` visible ones; null if the key does not move. */
export function stepOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, inView: number): number | null {
  if (altKey || ctrlKey || metaKey) return null;
  switch (key) {
    case 'ArrowDown':
      return 1;
    case 'ArrowUp':
      return -1;
    case 'PageDown':
      return inView;
    case 'PageUp':
      return -inView;
    case 'Home':
      return Number.NEGATIVE_INFINITY;
    case 'End':
      return Number.POSITIVE_INFINITY;
    default:
      return null;
  }
}
