import type { Session } from 'electron';
import { isOwnUrl } from './windows/page.ts';

/** The page's needs: it copies, and it notifies. Everything else (reading the clipboard, camera, USB, …) is refused without asking. */
type Granted = 'clipboard-sanitized-write' | 'notifications';
const GRANTED: ReadonlySet<string> = new Set<Granted>(['clipboard-sanitized-write', 'notifications']);

/** Whether a page at `url` may have `permission`. Names that a later Electron adds are refused as well. */
export function mayHave(permission: string, url: string): boolean {
  return GRANTED.has(permission) && isOwnUrl(url);
}

type Guarded = Pick<
  Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'on'
>;

/** Answers every permission request of this session. */
export function guardSession(session: Guarded): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(mayHave(permission, requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => mayHave(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.on('will-download', (event, item) => {
    if (!mayDownload(item.getURL())) event.preventDefault();
  });
}

/** Only blobs that our own page created, which is how it saves an export. */
export function mayDownload(url: string): boolean {
  return url.startsWith('blob:') && isOwnUrl(url.slice('blob:'.length));
}
