import type { Settings } from '../../src-main/contract/settings.ts';
import type { ListedTheme, ThemeImport } from '../../src-main/contract/window/theme.ts';
import { MAX_THEME_CHARS } from '../../src-main/contract/window/themeLimits.ts';
import { strings } from '../app/strings.ts';
import type { Rpc } from '../rpc/Rpc.ts';

/** Ids of the themes that ui/tokens.css holds: a window that shows one of them needs no list. */
const OWN = new Set(['ink', 'paper']);

/** The themes as the core lists them. Read when something needs them: most windows show one of ours. */
export class Themes {
  readonly #rpc: Rpc['theme'];
  list = $state.raw<readonly ListedTheme[]>([]);

  constructor(rpc: Rpc['theme']) {
    this.#rpc = rpc;
  }

  async load(): Promise<void> {
    this.list = await this.#rpc.list();
  }

  /** The core's answer; a refusal says why. */
  async importFile(file: File): Promise<ThemeImport> {
    if (file.size > MAX_THEME_CHARS) return { ok: false, reason: strings.settings.themeTooLarge(file.name) };
    const answer = await this.#rpc.importFile({ fileName: file.name, text: await file.text() });
    if (answer.ok) await this.load();
    return answer;
  }

  async remove(id: string): Promise<void> {
    await this.#rpc.remove({ id });
    await this.load();
  }

  /** The theme that the settings name for `kind`; undefined for our own, and for a missing or unloaded one. */
  chosen(kind: 'dark' | 'light', settings: Settings): ListedTheme | undefined {
    const id = settings[`theme.${kind}`];
    return OWN.has(id) ? undefined : this.list.find((theme) => theme.id === id && theme.kind === kind);
  }

  /** Whether the settings name a theme that has to be read first. */
  lacks(settings: Settings): boolean {
    return (['dark', 'light'] as const).some((kind) => {
      const id = settings[`theme.${kind}`];
      return !OWN.has(id) && !this.list.some((theme) => theme.id === id);
    });
  }
}
