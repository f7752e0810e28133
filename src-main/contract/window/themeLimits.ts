/** Limit of a file to import. The largest known one, a whole iTerm2 export, has 12 KB. */
export const MAX_THEME_CHARS = 256 * 1024;
