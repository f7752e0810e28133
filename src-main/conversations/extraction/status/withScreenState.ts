import type { ChatSnapshot, Extraction, IExtractor, ScreenStep } from '../../../contract/chat/extractor.ts';
import { withDialog } from '../dialog/withDialog.ts';

/**
 * Takes the state from the screen if the row that decided the extraction's state is not on it. On the alternate screen, rows that move
 * down look like scrolling back, so the timeline keeps the rows below them. A status row that vanished is one of these rows, and its agent
 * would stay at work forever.
 */
export function withScreenState(extraction: Extraction, extractor: IExtractor, step: ScreenStep): Extraction {
  const { evidence } = extraction;
  if (!step.altScreen || evidence === null || isShown(evidence.line, step)) return extraction;
  const screen: ChatSnapshot = { ...step, screenTop: 0 };
  const { state, evidence: seen, draft } = withDialog(extractor.extract(screen), screen);
  if (state === 'unknown') return extraction;
  const { draft: _, ...rest } = extraction;
  return { ...rest, state, evidence: seen, ...(draft === undefined ? {} : { draft }) };
}

function isShown(line: string, { rows, title }: ScreenStep): boolean {
  return title.includes(line) || rows.some(({ text }) => text.includes(line));
}
