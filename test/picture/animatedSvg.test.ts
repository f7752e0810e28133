import { expect, test } from 'vitest';
import { animatedSvg, type TimedFrame } from '../../src-main/picture/animatedSvg.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';

/** One frame after each output, 100 ms apart. */
function framesOf(outputs: readonly string[]): TimedFrame[] {
  const model = new ScreenModel({ cols: 20, rows: 3, scrollbackLines: 0 });
  try {
    return outputs.map((output, at) => {
      model.write(Buffer.from(`\x1b[?25l${output}`));
      return { frame: model.frame(), atMs: at * 100 };
    });
  } finally {
    model.dispose();
  }
}

/** For each time, the words that the keyframes of the picture make visible. */
function shownAt(svg: string, percent: number): string[] {
  const visible = new Map(
    [...svg.matchAll(/@keyframes (\w+)\{((?:[\d.]+%\{visibility:\w+\})+)\}/g)].map(([, name = '', steps = '']) => {
      const all = [...steps.matchAll(/([\d.]+)%\{visibility:(\w+)\}/g)].map(([, at, state]) => [Number(at), state]);
      return [name, all.findLast(([at]) => Number(at) <= percent)?.[1] === 'visible'];
    }),
  );
  return [...svg.matchAll(/<g(?: class="(\w+)")?( visibility="hidden")?>((?:<g transform.*?<\/g>)+)<\/g>/g)]
    .filter(([, name]) => name === undefined || visible.get(name))
    .flatMap(([, , , parts = '']) => [...parts.matchAll(/aria-label="([^"]*)"/g)].map(([, text = '']) => text.trim()));
}

const frames = framesOf(['one', '\r\ntwo', '\x1b[1;1Hsix', '\x1b[1;1Hone']);
const svg = animatedSvg(frames, 400, 'dark');

test('each row shows while it is on the screen, again when it comes back', () => {
  expect([10, 30, 60, 80].map((percent) => shownAt(svg, percent).sort())).toEqual([
    ['one'],
    ['one', 'two'],
    ['six', 'two'],
    ['one', 'two'],
  ]);
});

test('a row that comes back is drawn once', () => {
  expect(svg.match(/aria-label="one/g)).toHaveLength(1);
});

test('without motion the last frame shows', () => {
  const still = svg.replace(/<g[^>]*visibility="hidden">(?:<g transform.*?<\/g>)+<\/g>/g, '');
  expect([...still.matchAll(/aria-label="([^"]*)"/g)].map(([, text = '']) => text.trim()).sort()).toEqual([
    'one',
    'two',
  ]);
  expect(svg).toContain('prefers-reduced-motion');
});

test('nothing sets the name of an animation but its own class: a general rule would win over it', () => {
  expect(svg).not.toMatch(/g\[class\]\{animation:/);
});
