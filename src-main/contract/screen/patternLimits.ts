/** At most 512 characters, and at most 50 ms per try (both numbers from security-reliability and mcp). */
export const MAX_PATTERN_CHARS = 512;
export const MAX_PATTERN_MS = 50;
