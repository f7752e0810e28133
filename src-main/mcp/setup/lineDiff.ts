const CONTEXT_LINES = 2;

/** The changed lines, prefixed with `-`, `+` or a space, with two lines of context. Supports one change in one place. */
export function lineDiff(before: string, after: string): string[] {
  if (before === after) return [];
  const [old, now] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  return [
    ...same(old.slice(Math.max(0, head - CONTEXT_LINES), head)),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...same(old.slice(old.length - tail).slice(0, CONTEXT_LINES)),
  ];
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
