/**
 * `compute` with its last answers kept, for what is asked again and again. `compute` must be pure and never answer undefined. At most
 * `most` answers are held; then all are forgotten, which costs less than knowing which was used last.
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
