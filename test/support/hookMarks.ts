/** A marker, parsed by the specification alone, so that the tests share no mistake with the product's parser. */
export interface Mark {
  name: string;
  fields: Record<string, string>;
  /** Offsets of the first byte, and of the byte after the last. */
  at: number;
  end: number;
}

/** A command and its output between BLOCK_BEGIN and the next marker. */
export interface Card {
  /** The command line, decoded as latin1 if it is not UTF-8; null if the marker has none. */
  cmd: string | null;
  cwd: string;
  exit: number | null;
  nohist: boolean;
  /** Output as latin1. */
  output: string;
}

export function parseMarks(bytes: Buffer, nonce: string): Mark[] {
  const text = bytes.toString('latin1');
  const pattern = new RegExp(`\\x1b\\]7717;${nonce};([A-Z_]+);([^\\x07\\x1b]*)(?:\\x07|\\x1b\\\\)`, 'g');
  return Array.from(text.matchAll(pattern), (found) => ({
    name: found[1] ?? '',
    fields: Object.fromEntries((found[2] ?? '').split(';').map(splitField)),
    at: found.index,
    end: found.index + found[0].length,
  }));
}

export function cardsOf(marks: readonly Mark[], bytes: Buffer): Card[] {
  const cards: Card[] = [];
  let open: { card: Card; from: number } | null = null;
  for (const mark of marks) {
    if (open) {
      open.card.output = bytes.toString('latin1', open.from, mark.at);
      if (mark.name === 'BLOCK_END' && mark.fields.exit !== undefined) open.card.exit = Number(mark.fields.exit);
      open = null;
    }
    if (mark.name !== 'BLOCK_BEGIN') continue;
    const { cmd_b64: cmd, cwd_b64: cwd = '', nohist } = mark.fields;
    const card: Card = {
      cmd: cmd === undefined ? null : decode(cmd),
      cwd: decode(cwd),
      exit: null,
      nohist: nohist === '1',
      output: '',
    };
    cards.push(card);
    open = { card, from: mark.end };
  }
  if (open) open.card.output = bytes.toString('latin1', open.from);
  return cards;
}

function splitField(field: string): [string, string] {
  const at = field.indexOf('=');
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)];
}

function decode(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : bytes.toString('latin1');
}
