import { z } from 'zod';

const HexColor = z.string().regex(/^#[0-9a-f]{6}$/, 'expected a colour such as #1a2b3c');

/** A terminal palette with its page. The window's other colours are derived from it (shared/themes/themeTokens.ts). */
export const Theme = z.object({
  /** Names the theme in the settings, and its file in the data folder's `themes/`. */
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(60),
  name: z.string().min(1).max(80),
  kind: z.enum(['dark', 'light']),
  /** The palette's author and licence; '' if an imported file does not name them. */
  credit: z.string().max(200).default(''),
  background: HexColor,
  foreground: HexColor,
  cursor: HexColor,
  /** SGR 30–37 and 90–97. */
  ansi: z.array(HexColor).length(16),
});
export type Theme = z.infer<typeof Theme>;

/** A theme as the settings page lists it. */
export interface ListedTheme extends Theme {
  /** Imported by the person; its file can be deleted. */
  isImported: boolean;
}

/** Result of an import, or the reason of its failure. The person sees both unchanged. */
export type ThemeImport = { ok: true; theme: ListedTheme; replaced: boolean } | { ok: false; reason: string };
