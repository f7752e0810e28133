import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/floating.css';
import './ui/forcedColors.css';
import './ui/touch/touch.css';
import './search/command.css';
import './conversation/text/code.css';
import './conversation/text/said.css';
import { mount, unmount } from 'svelte';
import { readBoot } from './app/boot.ts';
import NoToken from './app/NoToken.svelte';
import { shownTheme, showTheme } from './app/theme/showTheme.svelte.ts';
import { createRpc } from './rpc/createRpc.ts';
import { type CoreLink, electronLink, webLink } from './rpc/links.ts';
import { isPlaceHash } from './rpc/placeHash.ts';
import type { Rpc } from './rpc/Rpc.ts';
import { forgetToken, handTokenToApp, obtainToken } from './rpc/token.ts';
import { obtainWindowId } from './rpc/windowId.ts';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element with the id "app"');
showTheme(shownTheme('system'));
// Pasting an address with another code into this page changes only the part after the #, which does not reload the page.
addEventListener('hashchange', () => {
  if (location.hash.length > 1 && !isPlaceHash(location.hash)) location.reload();
});
void start(target);

async function start(into: HTMLElement): Promise<void> {
  // The window's scripts are read and compiled while the core is asked.
  const window = import('./app/openWindow.ts');
  const link = 'electronTRPC' in globalThis ? electronLink() : await linkFromToken(into);
  if (!link) return;
  const rpc = createRpc(link, await obtainWindowId());
  const stopExplaining = explainRefusal(into, rpc);
  const boot = await readBoot(rpc);
  const { openWindow } = await window;
  await openWindow({ into, rpc, boot }, stopExplaining);
}

async function linkFromToken(into: HTMLElement): Promise<CoreLink | null> {
  try {
    const token = await obtainToken();
    handTokenToApp();
    if (token !== null) return webLink(token);
    mount(NoToken, { target: into, props: { reason: 'none' } });
  } catch {
    // fetch rejects only if the host does not answer
    mount(NoToken, { target: into, props: { reason: 'silent' } });
  }
  return null;
}

/** Before the first answer a refused token replaces the whole page; later the window shows it in place. */
function explainRefusal(into: HTMLElement, rpc: Rpc): () => void {
  let page: ReturnType<typeof mount> | undefined;
  const stop = rpc.onLink((state) => {
    if (state !== 'refused' || page) return;
    forgetToken();
    page = mount(NoToken, { target: into, props: { reason: 'refused' } });
  });
  return () => {
    stop();
    if (page) void unmount(page);
  };
}
