import type { AppState } from '../../app/AppState.svelte.ts';
import { strings } from '../../app/strings.ts';
import type { CastSubject, Rpc } from '../../rpc/Rpc.ts';
import { saveFile } from '../../ui/browser/saveFile.ts';

/** Size of the blobs that collect the text. The browser decides where it keeps a blob. */
const BLOB_CHARS = 8 * 1024 * 1024;

/** Saves a terminal, or one of its blocks, as an asciicast 2 file. Rejects when the core cannot read it; nothing is saved then. */
export async function saveCast(app: AppState, what: CastSubject): Promise<void> {
  const content = await gatherCast(app.rpc.recording, what);
  const fileName = `${what.id}${what.blockId === undefined ? '' : `-${what.blockId}`}.cast`;
  saveFile(fileName, content);
  app.notices.say(strings.app.savedAs(fileName));
}

/** Collects all pieces from the last `start` to the `end`. */
export function gatherCast(recording: Pick<Rpc['recording'], 'cast'>, what: CastSubject): Promise<Blob> {
  return new Promise((resolve, reject) => {
    let blobs: Blob[] = [];
    let text = '';
    const stop = recording.cast(what, {
      onPiece: (piece) => {
        if (piece.type === 'start') {
          // also after a lost connection, when the stream starts again
          blobs = [];
          text = '';
        } else if (piece.type === 'text') {
          text += piece.text;
          if (text.length < BLOB_CHARS) return;
          blobs.push(new Blob([text]));
          text = '';
        } else {
          stop();
          resolve(new Blob([...blobs, text], { type: 'application/x-asciicast' }));
        }
      },
      onError: (error) => {
        stop();
        reject(error);
      },
    });
  });
}
