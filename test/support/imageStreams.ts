import fc from 'fast-check';

/** A red sixel image, size in pixels. */
export function sixel(width: number, height: number): string {
  const bands = Array.from({ length: Math.ceil(height / 6) }, () => `!${width}~`).join('-');
  return `\x1bPq"1;1;${width};${height}#1;2;80;20;20#1${bands}\x1b\\`;
}

/** A PNG of one red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

export function osc1337(args: string, base64 = PNG): string {
  return `\x1b]1337;File=${args}:${base64}\x07`;
}

export function kitty(keys: string, base64 = 'AAAA'): string {
  return `\x1b_G${keys};${base64}\x1b\\`;
}

const number = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constantFrom(1, 400, 99_999));
const key = fc.tuple(fc.constantFrom(...'svcrxywhipmCIzUq'), number).map(([name, value]) => `${name}=${value}`);
const keys = fc
  .tuple(
    fc.constantFrom('a=T', 'a=t', 'a=p', 'a=d', 'a=d,d=i', 'a=q', 'm=0'),
    fc.constantFrom('f=24', 'f=32', 'f=100'),
    fc.array(key, { maxLength: 5 }),
  )
  .map(([action, format, rest]) => [action, format, ...rest].join(','));
const length = fc.oneof(
  number.map(String),
  number.map((px) => `${px}px`),
  number.map((part) => `${part}%`),
  fc.constant('auto'),
);
const args = fc
  .tuple(length, length, fc.constantFrom('', ';preserveAspectRatio=0'), fc.constantFrom('1', '0'))
  .map(([width, height, shape, inline]) => `width=${width};height=${height}${shape};inline=${inline}`);
const sixelData = fc.array(
  fc.constantFrom('~', '!9~', '!300~', '-', '$', '#1', '#2;2;1;2;3', '"1;1;20;40', '@', '?', ';', '\n'),
  { maxLength: 20 },
);

const part = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'Z', ' ', '漢', '—'), maxLength: 12 }),
  fc.constantFrom(
    '\r\n',
    '\n',
    '\x1b[H',
    '\x1b[2J',
    '\x1b[3;9r',
    '\x1b[r',
    '\x1b[5;38H',
    '\x1b[L',
    '\x1b[2M',
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b7',
    '\x1b8',
    '\x1bM',
    '\x1b',
    '\x18',
    '\x1bc',
  ),
  sixelData.map((data) => `\x1bP0;1;0q${data.join('')}\x1b\\`),
  fc.tuple(number, number).map(([width, height]) => sixel(Math.min(width, 400), Math.min(height, 400))),
  args.map((text) => osc1337(text)),
  args.map(
    (text) =>
      `\x1b]1337;MultipartFile=${text}\x07\x1b]1337;FilePart=${PNG.slice(0, 40)}\x07\x1b]1337;FilePart=${PNG.slice(40)}\x07\x1b]1337;FileEnd\x07`,
  ),
  keys.map((text) => kitty(text, PNG)),
  fc.constantFrom('\x1bPq', '\x1b_Ga=T,f=24,s=9,v=30', '\x1b]1337;File=inline=1:', '\x1b\\', '\x1b_other\x1b\\'),
);

/** Text, cursor movement and images of all protocols: valid, broken and with odd numbers. */
export const imageStream = fc.array(part, { maxLength: 14 }).map((parts) => new TextEncoder().encode(parts.join('')));
