/**
 * Starts the built desktop app and waits for its end. Prints the exit code and the questions. `FAKE_ANSWERS` are the buttons to press,
 * `FAKE_SIGNAL` is a signal to send once the window is loaded, `FAKE_LOGOUT` ends the person's session as macOS does.
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
  // Two signals at once, as the end of a session sends them, and a quit.
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
