import type { ExtractedMessage, IExtractor } from '../../../contract/extractor.ts';

const PROMPT = /^\s{0,2}(?:[❯>›]|\( O\)>) (\S.*)$/;
const GENERIC_CONFIDENCE = 0.2;

/** An agent nobody has described: lines after a prompt sign are the person's, what follows them is the program's. States are unknown. */
export const generic: IExtractor = {
  name: 'generic',
  label: 'Agent',
  version: 1,
  recognise: () => 0,
  extract({ rows }) {
    const messages: ExtractedMessage[] = [];
    const add = (kind: 'user' | 'model', text: string, at: number) =>
      messages.push({
        kind,
        text,
        fromRow: at,
        toRow: at + 1,
        isHeadCut: false,
        isOpen: false,
        confidence: GENERIC_CONFIDENCE,
      });
    rows.forEach((row, at) => {
      const typed = PROMPT.exec(row.text)?.[1];
      const last = messages.at(-1);
      if (typed !== undefined) add('user', typed.trim(), at);
      else if (last?.kind === 'model')
        messages[messages.length - 1] = { ...last, text: `${last.text}\n${row.text.trimEnd()}`, toRow: at + 1 };
      else if (last && row.text.trim() !== '') add('model', row.text.trimEnd(), at);
    });
    const trimmed = messages.map((message) => ({ ...message, text: message.text.trimEnd() }));
    return { messages: trimmed, state: 'unknown', evidence: null, isCovered: false };
  },
};
