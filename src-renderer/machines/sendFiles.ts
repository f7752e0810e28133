import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';

const words = strings.machines.upload;
/** As the core takes it. */
const MAX_BYTES = 12 * 1024 * 1024;
/** As many arguments as every engine passes to a function. */
const STEP = 32 * 1024;

/** Copies files to the machine of that terminal; the paths that they have there. Says what could not be copied. */
export async function sendFiles(app: AppState, id: string, files: readonly File[]): Promise<string[]> {
  const paths: string[] = [];
  for (const file of files) {
    if (file.size > MAX_BYTES) {
      app.notices.fail(words.tooLarge(file.name));
      continue;
    }
    app.notices.say(words.running(file.name));
    try {
      const { path } = await app.rpc.terminal.sendFile({ id, name: file.name, base64: await base64Of(file) });
      paths.push(path);
    } catch (error) {
      app.notices.fail(words.failed(file.name), error);
    }
  }
  return paths;
}

/** Rejects for a folder, which has no bytes. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}
