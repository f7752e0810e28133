import type { Scope } from '../../contract/mcp/mcp.ts';

/** The media type defined by asciinema. */
export const ASCIICAST = 'application/x-asciicast';

/** A range of bytes of a terminal's output, `to` exclusive. */
export interface RawRange {
  readonly from: number;
  readonly to: number;
}

/** The recording of a terminal, or of a range of its bytes. */
export function castUri(terminalId: string, range: RawRange | null): string {
  return `term://pty/${terminalId}/cast${range ? `/${range.from}-${range.to}` : ''}`;
}

/** A parsed resource URI. */
export type ResourcePlace =
  | { kind: 'ptys' }
  | { kind: 'screen' | 'screen.json' | 'screen.png' | 'blocks'; terminalId: string }
  | { kind: 'deltas'; terminalId: string; cursor: number | null }
  | { kind: 'cast'; terminalId: string; range: RawRange | null }
  | { kind: 'output' | 'raw'; ref: string }
  | { kind: 'chat'; ref: string; format: 'md' | 'json' | 'jsonl' | 'html' | 'cast' }
  | { kind: 'inbox'; client: string }
  | { kind: 'audit' };

const ID = '[A-Za-z0-9_-]{1,64}';
const REF = `${ID}\\.${ID}`;
const FORMS: readonly [RegExp, (parts: readonly string[]) => ResourcePlace][] = [
  [/^term:\/\/ptys$/, () => ({ kind: 'ptys' })],
  [/^term:\/\/audit\/mine$/, () => ({ kind: 'audit' })],
  [
    new RegExp(`^term://pty/(${ID})/(screen|screen\\.json|screen\\.png|blocks)$`),
    ([, terminalId = '', kind]) => ({ kind: kind as 'screen', terminalId }),
  ],
  [
    new RegExp(`^term://pty/(${ID})/deltas(?:/([0-9]{1,15}))?$`),
    ([, terminalId = '', cursor]) => ({
      kind: 'deltas',
      terminalId,
      cursor: cursor === undefined ? null : Number(cursor),
    }),
  ],
  [
    new RegExp(`^term://pty/(${ID})/cast(?:/([0-9]{1,15})-([0-9]{1,15}))?$`),
    ([, terminalId = '', from, to]) => ({
      kind: 'cast',
      terminalId,
      range: from === undefined ? null : { from: Number(from), to: Number(to) },
    }),
  ],
  [new RegExp(`^term://block/(${REF})/(output|raw)$`), ([, ref = '', kind]) => ({ kind: kind as 'output', ref })],
  [
    new RegExp(`^term://chat/(${REF})(?:/(md|json|jsonl|html|cast))?$`),
    ([, ref = '', format = 'md']) => ({ kind: 'chat', ref, format: format as 'md' }),
  ],
  [/^term:\/\/inbox\/([a-z0-9._-]{1,64})$/, ([, client = '']) => ({ kind: 'inbox', client })],
];

/** Null for an unknown URI. */
export function readResourceUri(uri: string): ResourcePlace | null {
  for (const [form, place] of FORMS) {
    const parts = form.exec(uri);
    if (parts) return place(parts);
  }
  return null;
}

/** The scope that a client needs to read it: unprocessed bytes need `raw`, in any format. */
export function scopeOfPlace(place: ResourcePlace): Scope {
  const isRaw = place.kind === 'raw' || place.kind === 'cast' || (place.kind === 'chat' && place.format === 'cast');
  return isRaw ? 'raw' : 'observe';
}
