/**
 * Caches the answers of `compute`, which must be pure and never return undefined. Keeps at most
 * `most` answers; then drops all of them, which costs less than tracking the least recently used one.
 */
export function remembered<Answer extends NonNullable<unknown>>(
  most: number,
  compute: (key: string) => Answer,
): (key: string) => Answer {
  const known = new Map<string, Answer>();
  return (key) => {
    let answer = known.get(key);
    if (answer !== undefined) return answer;
    answer = compute(key);
    if (known.size >= most) known.clear();
    known.set(key, answer);
    return answer;
  };
}
