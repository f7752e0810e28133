// Finds the browser that the end-to-end suites drive.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const FIXED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of a Chromium or Chrome, or null. `CHROME_PATH` wins. */
export function findBrowser() {
  const wanted = process.env.CHROME_PATH;
  if (wanted && existsSync(wanted)) return wanted;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...FIXED];
  return candidates.find((path) => existsSync(path)) ?? null;
}
