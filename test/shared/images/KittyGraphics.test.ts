import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReplyFilter } from '../../../src-main/screen/emulator/ReplyFilter.ts';
import { KittyGraphics } from '../../../src-main/shared/images/KittyGraphics.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { PNG } from '../../support/imageStreams.ts';

/** The result of the last of these commands, which are 100 bytes apart. */
function takeAll(...commands: readonly (string | [control: string, head: string])[]) {
  const graphics = new KittyGraphics();
  let result: ReturnType<KittyGraphics['take']> = {};
  for (const [at, command] of commands.entries()) {
    const [control, head] = typeof command === 'string' ? [command, 'AAAA'] : command;
    result = graphics.take(control, head, { from: at * 100, to: at * 100 + 50 });
  }
  return result;
}

const reply = (text: string) => `\x1b_G${text}\x1b\\`;

describe("kitty's answers", () => {
  test.each([
    ['a query', ['i=31,s=1,v=1,a=q,t=d,f=24'], 'i=31;OK'],
    ['an image with a number of its own', ['a=t,f=24,s=1,v=1,I=4'], 'i=1,I=4;OK'],
    ['a placement', ['a=T,f=24,s=1,v=1,i=3,p=2'], 'i=3,p=2;OK'],
    ['the last chunk', ['a=T,f=24,s=1,v=1,i=3,m=1', 'm=1', 'm=0'], 'i=3;OK'],
    ['a file', ['a=q,t=f,i=3,f=100'], 'i=3;EINVAL:only direct transmission is supported'],
    ['shared memory', ['a=T,t=s,i=3,f=24,s=1,v=1'], 'i=3;EINVAL:only direct transmission is supported'],
    ['an image that is not there', ['a=p,i=9'], 'i=9;ENOENT:no image of that number'],
    [
      'an image that was deleted',
      ['a=t,f=24,s=1,v=1,i=9', 'a=d,d=I,i=9', 'a=p,i=9'],
      'i=9;ENOENT:no image of that number',
    ],
    ['an animation', ['a=f,i=9'], 'i=9;EINVAL:not supported by this terminal'],
    ['an image without a size', ['a=T,f=24,i=9'], 'i=9;EINVAL:no size, or no image'],
    ['an image that is too large', ['a=T,f=24,i=9,s=10001,v=1'], 'i=9;EINVAL:too large'],
  ])('say how it went: %s', (_, commands, text) => {
    expect(takeAll(...commands).reply).toBe(reply(text));
  });

  test.each([
    ['has no number', ['a=T,f=24,s=1,v=1']],
    ['is to be quiet', ['a=T,f=24,s=1,v=1,i=1,q=1']],
    ['fails and is to be quiet about that too', ['a=p,i=9,q=2']],
    ['is not the last chunk', ['a=T,f=24,s=1,v=1,i=3,m=1', 'm=1']],
  ])('are not given to a command that %s', (_, commands) => {
    expect(takeAll(...commands).reply).toBeUndefined();
  });
});

describe("kitty's images", () => {
  test.each([
    ['their own size', ['a=T,f=24,s=30,v=40'], { shownWidth: 30, shownHeight: 40, stretched: false, crop: null }],
    ['columns and rows', ['a=T,f=24,s=30,v=40,c=10,r=2'], { shownWidth: 80, shownHeight: 40, stretched: true }],
    [
      'columns, and the height that follows',
      ['a=T,f=24,s=40,v=20,c=10'],
      { shownWidth: 80, shownHeight: 40, stretched: false },
    ],
    [
      'a part',
      ['a=T,f=24,s=30,v=40,x=10,y=5,w=15,h=99'],
      { shownWidth: 15, shownHeight: 35, crop: { x: 10, y: 5, width: 15, height: 35 } },
    ],
    ['the size that a PNG has', [['a=T,f=100', PNG]], { width: 1, height: 1 }],
    ['the bytes of all chunks', ['a=T,f=24,s=1,v=1,m=1', 'm=1', 'm=0'], { from: 0, to: 250 }],
    ['the bytes that sent it', ['a=t,f=24,s=1,v=1,i=2', 'a=p,i=2'], { from: 0, to: 50 }],
  ] as const)('have %s', (_, commands, image) => {
    expect(takeAll(...(commands as never as string[])).place?.image).toMatchObject(image);
  });

  test('printed by placeholders are not placed', () => {
    expect(takeAll('a=T,f=24,s=1,v=1,i=2,U=1').place).toBeUndefined();
  });
});

const control = fc
  .array(
    fc.oneof(
      fc
        .tuple(
          fc.constantFrom(...'aftmoqiIpsvxywhcrCUzdX'),
          fc.oneof(fc.constantFrom('T', 't', 'p', 'd', 'q', 'A', 'n', 'z', '100', '24'), fc.integer().map(String)),
        )
        .map((pair) => pair.join('=')),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((keys) => keys.join(','));

test('any commands give images of bounded size and answers that may be given', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(control, fc.string({ maxLength: 40 })), { maxLength: 12 }), (commands) => {
      const graphics = new KittyGraphics();
      const filter = new ReplyFilter(() => 0);
      for (const [keys, head] of commands) {
        const result = graphics.take(keys, head, { from: 0, to: 1 });
        expect(result.reply === undefined || filter.passes(result.reply)).toBe(true);
        const { shownWidth = 1, shownHeight = 1 } = result.place?.image ?? {};
        expect(Math.max(shownWidth, shownHeight)).toBeLessThanOrEqual(10_000);
        expect(Math.min(shownWidth, shownHeight)).toBeGreaterThan(0);
      }
    }),
    fuzzRuns(500),
  );
});

test('no more than 256 images are remembered', () => {
  const graphics = new KittyGraphics();
  for (let id = 1; id <= 1000; id += 1) graphics.take(`a=t,f=24,s=1,v=1,i=${id}`, 'AAAA', { from: id, to: id });
  expect(graphics.state()).toHaveLength(256);
});
