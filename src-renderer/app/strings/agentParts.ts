import { agents } from './agents.ts';
import { changes } from './changes.ts';
import { conversation } from './conversation.ts';
import { history } from './history.ts';

/** Texts of the parts of the window that show agents. */
export const agentParts = { agents, changes, conversation, history } as const;
