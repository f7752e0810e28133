/** `items` in the order of `order`; items missing there come after, oldest first. */
export function inOrder<T extends { id: string; createdMs: number }>(items: T[], order: readonly string[]): T[] {
  const place = new Map(order.map((id, at) => [id, at]));
  return items.sort(
    (a, b) => (place.get(a.id) ?? order.length) - (place.get(b.id) ?? order.length) || a.createdMs - b.createdMs,
  );
}

/** `ids` with `id` at index `to` (clamped); the others keep their order. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((other) => other !== id);
  rest.splice(Math.max(0, Math.min(rest.length, to)), 0, id);
  return rest;
}
