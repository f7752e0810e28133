/** Replaces a terminal's id for conversations that were imported from agent logs. */
export const PAST_ID = 'own-logs';
