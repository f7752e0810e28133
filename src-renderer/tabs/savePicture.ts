import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import { saveFile } from '../ui/browser/saveFile.ts';

/** Saves the terminal's screen as a PNG or an SVG, in the current theme; the browser decides where. */
export async function savePicture(app: AppState, what: { id: string; format: 'png' | 'svg' }): Promise<void> {
  const picture = await app.rpc.screen.picture({ terminalId: what.id, format: what.format });
  if (!picture.ok) return app.notices.say(strings.tabs.screenNotSaved(picture.reason));
  const fileName = `${what.id}-screen.${what.format}`;
  const bytes = Uint8Array.from(atob(picture.base64), (char) => char.charCodeAt(0));
  saveFile(fileName, new Blob([bytes], { type: picture.mediaType }));
  app.notices.say(strings.app.savedAs(fileName));
}
