/**
 * Starts the built desktop app with `FAKE_LINK` on its command line, then sends it links, as a second start and as macOS do. Prints the
 * pages that its window loaded and its questions.
 */
import { app, ended, Preventable, record } from './electron.ts';

async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise((resolve) => setTimeout(resolve, 20));
}

process.argv.push(process.env.FAKE_LINK ?? '');
await import(new URL('../../../out/main/electron.js', import.meta.url).href);
await until(() => record.windows.some(({ isShown, url }) => isShown && url.includes('#')));
const [window] = record.windows;
const seen = () => (window?.urls.length ?? 0) + record.questions.length;
for (const link of JSON.parse(process.env.FAKE_LINKS ?? '[]') as string[]) {
  const before = seen();
  app.emit('second-instance', {}, [], '/', { dir: null, link });
  await until(() => seen() > before);
}
const event = new Preventable();
app.emit('open-url', event, 'hansard://terminal/t9');
await until(() => window?.url.endsWith('#/terminal/t9') === true);
const report = {
  urls: window?.urls.map((url) => url.replace(/window=\w+/, 'window=ID')),
  ids: new Set(window?.urls.map((url) => /window=(\w+)/.exec(url)?.[1])).size,
  questions: record.questions,
  windows: record.windows.length,
  isTaken: event.defaultPrevented,
  lockData: record.lockData,
  order: record.order,
};
app.quit();
await ended.promise;
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
