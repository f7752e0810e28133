import { PLACED_FORMS } from './placedForms.ts';
import { TOKEN_FORMS, type TokenForm } from './tokenForms.ts';

/** What a form begins with, up to the first of its characters that may be there more than once. */
const FIXED = /^(?:[^[\\({*]|\\[.-]|\([^()]*\)|\[[^\]]*\](?![{*]))*/;

const FORMS = new RegExp([...new Set(TOKEN_FORMS.map(signOf)), 'PRIVATE KEY'].join('|'));
const BEARER = /bearer/i;
/** A name that tells of a secret, also that of the header; what it is set to stands in the same line. */
const NAMED = /pass|pw|secret|token|credential|key|auth/i;
const IS_SET = /[:=]|--/;

/**
 * Whether a secret may begin in this line, from signs that every one has: where no line of a text may hold one, `blankSecrets` finds none in it.
 * Costs a tenth of that.
 */
export function mayHoldSecret(line: string): boolean {
  if (mayHoldToken(line) || BEARER.test(line)) return true;
  if (PLACED_FORMS.some(({ sign }) => sign.test(line))) return true;
  if (NAMED.test(line) && IS_SET.test(line)) return true;
  return (line.includes('://') && line.includes('@')) || (line.includes('curl') && line.includes('-u'));
}

/** Whether something in the text begins like a token or a private key. One look at all beginnings spares one for each form. */
export function mayHoldToken(text: string): boolean {
  return FORMS.test(text);
}

export function signOf({ form, sign }: TokenForm): string {
  return sign ?? FIXED.exec(form)?.[0] ?? '';
}
