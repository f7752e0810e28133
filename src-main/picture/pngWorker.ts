import { parentPort, workerData } from 'node:worker_threads';
import { initWasm } from '@resvg/resvg-wasm';
import { SystemFonts } from './fontChoice.ts';
import { PngPress } from './PngPress.ts';
import type { FromPng, PngStart, ToPng } from './pngProtocol.ts';
import { findFontFiles, fontFolders } from './systemFontFiles.ts';

/** Entry point of the worker thread that makes PNGs: a large screen takes a second, and fonts must be searched. */
const port = parentPort;
if (!port) throw new Error('pngWorker runs as a worker thread only');

const { wasm, fonts } = workerData as PngStart;
let system: SystemFonts | undefined;
const press = initWasm(wasm).then(
  () =>
    new PngPress(fonts, () => {
      system ??= new SystemFonts(findFontFiles(fontFolders(process.platform, process.env)));
      return system;
    }),
);

port.on('message', ({ call, svg }: ToPng) => {
  press
    .then((ready) => {
      const png = ready.press(svg);
      port.postMessage({ call, png } satisfies FromPng, [png.buffer]);
    })
    .catch((error: unknown) => port.postMessage({ call, problem: String(error) } satisfies FromPng));
});
