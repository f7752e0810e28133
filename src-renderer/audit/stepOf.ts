/** How many entries further down a key leads, of which `inView` are seen at once; null for a key that leads nowhere. */
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
