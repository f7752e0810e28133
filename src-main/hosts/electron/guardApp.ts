import { detach } from '../../util/strayErrors.ts';
import { findAppFiles } from '../appFiles.ts';
import { loadStaticFiles } from '../web/staticFiles.ts';
import { answerAppRequest } from './appFilesProtocol.ts';
import type { ElectronParts } from './DesktopApp.ts';
import { judgeExternal } from './externalUrl.ts';
import { guardContents } from './guardContents.ts';
import { guardSession } from './permissions.ts';
import { PAGE } from './windows/page.ts';

/** Holds every page and session to the rules of this folder. Called when Electron is ready, before there is a window. */
export function guardApp(electron: ElectronParts): void {
  const { app, protocol, session } = electron;
  app.on('web-contents-created', (_event, contents) =>
    guardContents(contents, (url) => detach('guardApp', openOutside(electron, url))),
  );
  guardSession(session.defaultSession);
  const files = loadStaticFiles(findAppFiles().rendererDir);
  protocol.handle(PAGE.scheme, (request) => {
    const { status, headers, body } = answerAppRequest(request, files);
    return new Response(body && new Uint8Array(body), { status, headers });
  });
}

/** Hands an address to the system when the rules allow it; a mail address only after the person said so. */
export async function openOutside(
  { shell, dialog }: Pick<ElectronParts, 'shell' | 'dialog'>,
  address: string,
): Promise<void> {
  const judged = judgeExternal(address);
  if (judged.verdict === 'never') return;
  if (judged.verdict === 'ask' && !(await isWanted(dialog, judged.url))) return;
  await shell.openExternal(judged.url);
}

async function isWanted(dialog: ElectronParts['dialog'], url: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: 'Hansard',
    message: 'Open this address in your mail program?',
    detail: url,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
