import { type Browser, chromium, firefox, type LaunchOptions } from 'playwright-core';

/** Let Chromium run as root on a machine without a network. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Launches a Chromium or, by the name of its program, a Firefox that was not built for Playwright. */
export async function launchBrowser(path: string, args: readonly string[] = []): Promise<Browser> {
  if (!path.includes('firefox')) return chromium.launch({ executablePath: path, args: [...CHROMIUM_ARGS, ...args] });
  const options: LaunchOptions = { executablePath: path, channel: 'moz-firefox', args: [...args] };
  const browser = await firefox.launch(options);
  ignoreUnknownCommands(browser);
  return browser;
}

interface Session {
  send(method: string, params?: object): Promise<object>;
}

/** Firefox 153 does not have all commands of WebDriver BiDi that Playwright sends to each new context. */
function ignoreUnknownCommands(browser: Browser): void {
  const { _connection: connection } = browser as unknown as {
    _connection: { toImpl(of: Browser): { _browserSession: Session } };
  };
  const session = connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, params) =>
    send(method, params).catch((error: Error) => {
      if (error.message.includes('unknown command')) return {};
      throw error;
    });
}
