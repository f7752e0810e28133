import type { IExtractor } from '../../../../contract/chat/extractor.ts';
import { type PromptLook, promptedMessages } from '../prompted.ts';

/** Signs that agents print before what is typed. A shell's `$`, `#` and `%` are none. */
const LOOK: PromptLook = { sign: /^\s{0,2}(?:[❯>›»]|\( O\)>|>>>)(?: |$)/, confidence: 0.2 };

/** An agent nobody has described: lines after a prompt sign are the person's, what follows them is the program's. States are unknown. */
export const generic: IExtractor = {
  name: 'generic',
  label: 'Agent',
  version: 2,
  recognise: () => 0,
  extract: ({ rows }) => ({
    messages: promptedMessages(rows, LOOK),
    state: 'unknown',
    evidence: null,
    isCovered: false,
  }),
};
