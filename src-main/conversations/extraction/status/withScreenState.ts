import type { ChatSnapshot, Extraction, IExtractor, ScreenStep } from '../../../contract/chat/extractor.ts';
import { withDialog } from '../dialog/withDialog.ts';

/**
 * The extraction with the state that the screen shows, if the row that decided its state is not on the screen. On the alternate screen, rows that
 * move down look as if somebody scrolled back, so the timeline keeps the rows below them. A status row that vanished is one of those: its
 * agent would stay at work for ever.
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
