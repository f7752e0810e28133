import { fillReplayPage } from '../../src-main/shared/replay/fillReplayPage.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { CastSubject } from '../rpc/Rpc.ts';
import { saveFile } from '../ui/browser/saveFile.ts';

/** The build writes it next to index.html. */
const PAGE = 'replay.html';

/** Saves a page that plays `cast`. */
export async function exportPage({ notices }: AppState, subject: CastSubject, cast: string): Promise<void> {
  const answer = await fetch(new URL(PAGE, document.baseURI));
  if (!answer.ok) throw new Error(strings.replay.incomplete(PAGE));
  const pieces: string[] = [];
  for await (const piece of fillReplayPage(await answer.text(), [cast])) pieces.push(piece);
  const part = subject.blockId ?? subject.conversationId;
  const fileName = `${subject.id}${part === undefined ? '' : `-${part}`}.html`;
  saveFile(fileName, new Blob(pieces, { type: 'text/html;charset=utf-8' }));
  notices.say(strings.app.savedAs(fileName));
}
