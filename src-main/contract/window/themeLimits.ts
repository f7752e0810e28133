/** Of a file to import. The largest known, a whole iTerm2 export, has 12 KB. */
export const MAX_THEME_CHARS = 256 * 1024;
