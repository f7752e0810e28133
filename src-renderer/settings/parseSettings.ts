import type { Settings } from '../../src-main/contract/settings.ts';
import { strings } from '../app/strings.ts';

export type ParsedSettings = { ok: true; settings: Partial<Settings> } | { ok: false; reason: string };

/** Reads the JSON that a person typed. Whether the values are allowed is for the core to say. */
export function parseSettings(text: string): ParsedSettings {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { ok: false, reason: strings.settings.notAnObject };
    }
    return { ok: true, settings: value as Partial<Settings> };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
