import type { AppState } from '../../app/AppState.svelte.ts';
import { strings } from '../../app/strings.ts';
import type { CastSubject, Rpc } from '../../rpc/Rpc.ts';
import { saveFile } from '../../ui/browser/saveFile.ts';

/** Size of the blobs that collect the text. The browser decides where it keeps a blob. */
const BLOB_CHARS = 8 * 1024 * 1024;

/** Saves a terminal, or one of its blocks, as an asciicast 2 file. Rejects when the core cannot read it; nothing is saved then. */
export async function saveCast(app: AppState, what: CastSubject): Promise<void> {
  const { content, lost } = await gatherCast(app.rpc.recording, what);
  const fileName = `${what.id}${what.blockId === undefined ? '' : `-${what.blockId}`}.cast`;
  saveFile(fileName, content);
  app.notices.say(lost === undefined ? strings.app.savedAs(fileName) : strings.app.savedWithout(fileName, lost));
}

interface GatheredCast {
  readonly content: Blob;
  readonly lost: string | undefined;
}

/** Collects all pieces from the last `start` to the `end`. */
export function gatherCast(recording: Pick<Rpc['recording'], 'cast'>, what: CastSubject): Promise<GatheredCast> {
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
          const content = new Blob([...blobs, text], { type: 'application/x-asciicast' });
          resolve({ content, lost: piece.lost });
        }
      },
      onError: (error) => {
        stop();
        reject(error);
      },
    });
  });
}
