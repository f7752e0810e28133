import { readdirSync, readFileSync } from 'node:fs';
import xterm from '@xterm/xterm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImageRef } from '../../src-main/contract/image.ts';
import { BlockRenderer } from '../../src-main/screen/emulator/BlockRenderer.ts';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { ImageSlicer } from '../../src-main/shared/images/ImageSlicer.ts';
import { ImageStage } from '../../src-main/shared/images/ImageStage.ts';
import { type ImageCore, imageCoreOf } from '../../src-main/shared/images/imageCore.ts';
import { slicesOf } from '../../src-main/shared/images/imageTiles.ts';
import { UnicodeGraphemesAddon } from '../../src-main/shared/xterm/graphemes.ts';
import { guardXterm, loadGraphemes, silenceReplies } from '../../src-main/shared/xterm/xtermGuards.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { imageStream, kitty, osc1337, PNG, sixel } from '../support/imageStreams.ts';

const SIZE = { cols: 40, rows: 12 };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Text and images of every line of a screen with its scrollback, and the cursor. */
function shown(terminal: object & { buffer: { active: { cursorX: number; cursorY: number } } }): object {
  const { active } = (imageCoreOf(terminal) as ImageCore).buffers;
  const lines = Array.from({ length: active.lines.length }, (_, at) => {
    const line = active.lines.get(at) as never as { translateToString(trims: boolean): string };
    const images = slicesOf(line as never).map(({ image, row, left, first, count }) => ({
      image,
      row,
      left,
      first,
      count,
    }));
    return { text: line.translateToString(true), images };
  });
  const { cursorX, cursorY } = terminal.buffer.active;
  return { lines, cursorX, cursorY };
}

function core(...chunks: readonly Uint8Array[]): ScreenModel {
  const model = new ScreenModel({ ...SIZE, scrollbackLines: 50 });
  for (const chunk of chunks) model.write(chunk);
  return model;
}

/** The window's emulator without its DOM, written to as `LiveImages` does. */
function windowTerminal(stream: Uint8Array): xterm.Terminal {
  const terminal = new xterm.Terminal({ ...SIZE, scrollback: 50, allowProposedApi: true, logLevel: 'off' });
  guardXterm(terminal, () => undefined);
  silenceReplies(terminal);
  loadGraphemes(terminal, new UnicodeGraphemesAddon());
  const stage = new ImageStage(terminal);
  const { _core } = terminal as unknown as { _core: { _inputHandler: { parse(bytes: Uint8Array): void } } };
  for (const { bytes, range } of new ImageSlicer().cut(stream, 0)) {
    stage.range = range;
    _core._inputHandler.parse(bytes);
  }
  return terminal;
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...cuts.map((at) => at % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((to, index) => bytes.subarray(places[index], to));
}

describe('the core and the window after images', () => {
  test('show the same text and images with the cursor in the same place', () => {
    fc.assert(
      fc.property(imageStream, (stream) => {
        expect(shown(windowTerminal(stream))).toEqual(shown(core(stream).terminal));
      }),
      fuzzRuns(300),
    );
  });

  test('do not depend on where the stream was cut', () => {
    fc.assert(
      fc.property(imageStream, fc.array(fc.nat(), { maxLength: 6 }), (stream, cuts) => {
        expect(shown(core(...cutAt(stream, cuts)).terminal)).toEqual(shown(core(stream).terminal));
      }),
      fuzzRuns(300),
    );
  });

  test('are the same for a viewer that attaches anywhere, in the middle of an image too', () => {
    fc.assert(
      fc.property(imageStream, fc.nat(), (stream, cut) => {
        const at = cut % (stream.length + 1);
        const first = core(stream.subarray(0, at));
        const viewer = new ScreenModel({ ...SIZE, scrollbackLines: 50 });
        viewer.restore(first.serialize());
        viewer.write(stream.subarray(at - first.heldBytes), at - first.heldBytes);
        expect(shown(viewer.terminal)).toEqual(shown(core(stream).terminal));
      }),
      fuzzRuns(300),
    );
  });

  test.each(readdirSync('test/fixtures/images').filter((name) => name.endsWith('.out')))(
    'agree on the output of a real tool: %s',
    (name) => {
      const stream = Buffer.concat([
        bytesOf('above\r\n'),
        readFileSync(`test/fixtures/images/${name}`),
        bytesOf('\r\nbelow'),
      ]);
      const model = core(stream);
      expect(shown(windowTerminal(stream))).toEqual(shown(model.terminal));
      expect(JSON.stringify(shown(model.terminal))).toContain('"row":1');
    },
  );
});

describe('the cursor', () => {
  const red = sixel(20, 30);
  test.each([
    ['a sixel image', `ab${red}`, [2, 1]],
    ['a sixel image at the right margin, which is cut', `\x1b[39G${sixel(80, 50)}`, [38, 2]],
    ['an iTerm2 image', `ab${osc1337('width=3;height=2;inline=1')}`, [5, 1]],
    [
      'an iTerm2 image in parts',
      `ab\x1b]1337;MultipartFile=width=3;height=2;inline=1\x07\x1b]1337;FilePart=${PNG}\x07\x1b]1337;FileEnd\x07`,
      [5, 1],
    ],
    ['an iTerm2 file that is a download', `ab${osc1337('width=3;height=2')}`, [2, 0]],
    ['a kitty image', `ab${kitty('a=T,f=24,s=20,v=30')}`, [5, 1]],
    ['a kitty image that is stretched to cells', `ab${kitty('a=T,f=24,s=1,v=1,c=7,r=3')}`, [9, 2]],
    ['a kitty image up to the right margin', `\x1b[31G${kitty('a=T,f=24,s=80,v=40')}`, [0, 2]],
    ['a kitty image that leaves the cursor', `ab${kitty('a=T,f=24,s=20,v=30,C=1')}`, [2, 0]],
    [
      'a kitty image that is sent first and shown later',
      `${kitty('a=t,f=24,s=8,v=20,i=7')}ab${kitty('a=p,i=7')}`,
      [3, 0],
    ],
    ['a kitty image in chunks', `${kitty('a=T,f=24,s=8,v=20,m=1')}ab${kitty('m=0')}`, [3, 0]],
    ['a kitty file, which is not read', kitty('a=T,t=f,f=100'), [0, 0]],
    ['an image taller than the screen', sixel(8, 20 * 30), [0, 11]],
  ])('is behind %s', (_, output, [x, y]) => {
    const { cursorX, cursorY } = core(bytesOf(output)).terminal.buffer.active;
    expect([cursorX, cursorY]).toEqual([x, y]);
  });
});

describe('the cells of an image', () => {
  const images = (model: ScreenModel) =>
    (shown(model.terminal) as { lines: { images: { image: ImageRef }[] }[] }).lines.flatMap((line) => line.images);

  test('name the bytes of exactly that image', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat(), { maxLength: 4 }), (text, cuts) => {
        const before = bytesOf(text.replaceAll('\x1b', ''));
        const image = bytesOf(sixel(8, 20));
        const stream = Buffer.concat([before, image, bytesOf('\r\nafter')]);
        const [first] = images(core(...cutAt(stream, cuts)));
        expect([first?.image.from, first?.image.to]).toEqual([before.length, before.length + image.length - 1]);
      }),
      fuzzRuns(200),
    );
  });

  test.each([
    ['text that is printed over it', '\x1b[Habcdef\r\nabcdef', 0],
    ['the erased screen', '\x1b[2J', 0],
    ['a deleted line', '\x1b[H\x1b[M', 1],
    ['an inserted line', '\x1b[H\x1b[L', 2],
    ["kitty's deletion of all images", kitty('a=d'), 0],
    ['the deletion of another image', kitty('a=d,d=i,i=9'), 2],
    ['the deletion of this one', kitty('a=d,d=i,i=5'), 0],
    ['the deletion at a cell', kitty('a=d,d=p,x=1,y=1'), 0],
    ['the same placement elsewhere', `\x1b[5;5H${kitty('a=p,i=5,p=1')}`, 4],
  ])('follow %s', (_, output, count) => {
    expect(images(core(bytesOf(kitty('a=T,f=24,s=16,v=40,i=5') + output)))).toHaveLength(count);
  });
});

test('a rendered block shows the rows of its images and has none of their bytes in its text', () => {
  const renderer = new BlockRenderer({ ...SIZE, startRow: 4, resizes: [] });
  const lines = [...renderer.feed(bytesOf(`above\r\n${sixel(20, 45)}\r\nbelow`)), ...renderer.end()];
  expect(lines.map(({ text }) => text)).toEqual(['above', '', '', '', 'below']);
  expect(lines.map(({ sgr }) => /\x1b_ht;(\d),0,0,3;7,/.exec(sgr)?.[1])).toEqual([undefined, '0', '1', '2', undefined]);
});

test('no program can have an earlier part of the record shown: slices of a state are not read from output', () => {
  const { terminal } = core(bytesOf('\x1b_ht;0,0,0,4;7,78,30,50,30,50,0,0\x1b\\'));
  expect(slicesOf((imageCoreOf(terminal) as ImageCore).buffers.active.lines.get(0))).toEqual([]);
});

test('hostile images cost no more than five times what as many bytes of inserted lines cost', () => {
  const tall = '\x1bPq"1;1;9999;99999~\x1b\\';
  const spread = kitty('a=T,f=24,s=9999,v=9999,i=1,p=1');
  /** CPU time of a megabyte. */
  const cost = (output: string): number => {
    const stream = bytesOf(output.repeat(Math.ceil(1_000_000 / output.length)));
    const began = process.cpuUsage();
    core(stream).dispose();
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  // Another program can slow either measurement through the caches, so one fast pair of five is enough.
  const isFast = (image: string): boolean => Array.from({ length: 5 }).some(() => cost(image) < 5 * cost('\x1b[L'));
  for (const image of [tall, spread, kitty('a=d'), osc1337('width=9999;height=9999;inline=1'), '\x1bPq!99999~-']) {
    expect({ image, isFast: isFast(image) }).toEqual({ image, isFast: true });
  }
});
