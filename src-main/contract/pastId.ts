/** In place of a terminal's id: the conversations that were imported from agents' own logs. */
export const PAST_ID = 'own-logs';
