/**
 * Starts the built desktop app and lets it end by itself, or by a signal once its window stands. Prints how it ended and what
 * it asked. `FAKE_ANSWERS` are the buttons that will be pressed, `FAKE_SIGNAL` is sent when the window is loaded,
 * `FAKE_LOGOUT` lets the person's session end as macOS does it.
 */
import { answers, app, ended, Preventable, powerMonitor, record } from './electron.ts';

answers.push(...(process.env.FAKE_ANSWERS ?? '').split(',').filter(Boolean).map(Number));
await import(new URL('../../../out/main/electron.js', import.meta.url).href);
const { FAKE_SIGNAL: signal, FAKE_LOGOUT: logout } = process.env;
let isLogoutCalledOff = false;
if (signal || logout)
  while (!record.windows.some(({ isShown, url }) => isShown && url !== ''))
    await new Promise((resolve) => setTimeout(resolve, 20));
if (logout) {
  powerMonitor.emit('shutdown', new Preventable());
  const quit = new Preventable();
  app.emit('before-quit', quit);
  isLogoutCalledOff = quit.defaultPrevented;
  for (const window of record.windows) window.close();
  isLogoutCalledOff ||= record.windows.some((window) => !window.isDestroyed());
}
if (signal) {
  // Two at once, as a closing session sends them, and a wish to quit besides.
  process.kill(process.pid, signal);
  process.kill(process.pid, signal);
  app.quit();
}
const exitCode = await ended.promise;
const { questions, opened, windows, order } = record;
process.stdout.write(
  `${JSON.stringify({ exitCode, questions, opened, windows: windows.length, order, isLogoutCalledOff })}\n`,
  () => process.exit(0),
);
