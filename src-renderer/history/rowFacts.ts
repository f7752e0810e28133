import type { PastRow, UsageSum } from '../../src-main/contract/past.ts';
import { formatFullTime } from '../app/clock.svelte.ts';
import { formatCount, formatDuration } from '../app/formatWords.ts';
import { strings } from '../app/strings.ts';

interface Fact {
  readonly name: string;
  readonly text: string;
}

/** Returns the facts about a conversation. Facts that no log has are left out. */
export function rowFacts(row: PastRow, placeOf: (path: string) => string): Fact[] {
  const words = strings.history.facts;
  const { usage, version, isVersionChecked, cwd } = row;
  const checked = version !== null && !isVersionChecked ? ` (${strings.history.unchecked})` : '';
  return [
    { name: words.started, text: formatFullTime(row.startedMs) },
    { name: words.folder, text: cwd === null ? words.unknown : placeOf(cwd) },
    { name: words.version, text: `${row.label}${version === null ? '' : ` ${version}`}${checked}` },
    { name: words.tokens, text: usage ? tokensOf(usage) : '' },
    { name: words.cost, text: usage?.cost == null ? '' : formatCost(usage.cost) },
    { name: words.time, text: usage?.busyMs == null ? '' : formatDuration(usage.busyMs) },
  ];
}

function tokensOf({ input, output, cacheRead }: UsageSum): string {
  const { tokensOf: words, unknown } = strings.history.facts;
  if (input === null && output === null) return '';
  const figure = (count: number | null): string => (count === null ? unknown : formatCount(count));
  return words(figure(input), figure(output), cacheRead ? formatCount(cacheRead) : '');
}

/** Formats US dollars to the cent, and less than a cent to one significant digit. */
export function formatCost(cost: number): string {
  return cost > 0 && cost < 0.01 ? `$${cost.toPrecision(1)}` : `$${cost.toFixed(2)}`;
}
