import { SECRETLINT_FORMS } from './secretlintForms.ts';

/** A secret that is recognized by its own form, anywhere. */
export interface TokenForm {
  /** Its common name, which appears in the placeholder. */
  readonly kind: string;
  /** Source of a regular expression for the whole token, without borders. Quantifiers follow a fixed beginning, so a run of text is scanned once. */
  readonly form: string;
  /** For a form without a fixed beginning: source of an expression that is in every match. */
  readonly sign?: string;
  /** Whether a match is a token, for a form that also fits words. */
  readonly isLikely?: (text: string) => boolean;
}

const WORD = '[A-Za-z0-9_-]';
const hasDigit = (text: string): boolean => /\d/.test(text);

/**
 * Forms documented by the issuers; among forms with the same beginning, the newest and longest come first. Ids that are not secret (a key's id, an
 * account's number) are not included, except for the first one: it shows an attacker what to look for. Further forms from secretlint's maintained
 * rules come last.
 */
export const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'aws key', form: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}' },
  { kind: 'github token', form: 'gh[pousr]_[A-Za-z0-9]{36,}' },
  { kind: 'github token', form: 'github_pat_[A-Za-z0-9_]{22,}' },
  { kind: 'gitlab token', form: `gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt)-${WORD}{20,}` },
  { kind: 'api key', form: `sk-(?:ant|proj|svcacct|admin|or|lf)-${WORD}{16,}` },
  { kind: 'api key', form: 'sk-[A-Za-z0-9]{20,}', isLikely: hasDigit },
  { kind: 'google key', form: `AIza${WORD}{34,}` },
  { kind: 'google key', form: `AQ\\.Ab${WORD}{30,}` },
  { kind: 'google token', form: `ya29\\.${WORD}{20,}` },
  { kind: 'google secret', form: `GOCSPX-${WORD}{20,}` },
  { kind: 'slack token', form: 'xox[abeoprs]-[A-Za-z0-9-]{10,}' },
  { kind: 'slack token', form: 'xapp-\\d-[A-Za-z0-9-]{10,}' },
  { kind: 'stripe key', form: '[sr]k_(?:live|test)_[A-Za-z0-9]{10,}' },
  { kind: 'stripe secret', form: 'whsec_[A-Za-z0-9+/=]{16,}' },
  { kind: 'npm token', form: 'npm_[A-Za-z0-9]{36,}' },
  { kind: 'pypi token', form: `pypi-AgE${WORD}{40,}` },
  { kind: 'hugging face token', form: 'hf_[A-Za-z0-9]{30,}' },
  { kind: 'sendgrid key', form: `SG\\.${WORD}{16,32}\\.${WORD}{32,64}` },
  { kind: 'digitalocean token', form: 'do[opr]_v1_[a-f0-9]{64,}' },
  { kind: 'telegram token', form: `\\d{8,10}:AA${WORD}{33,}`, sign: ':AA' },
  { kind: 'api key', form: '(?:gsk_|xai-|pplx-|fw_|r8_)[A-Za-z0-9]{32,}' },
  { kind: 'vault token', form: `hv[sbr]\\.${WORD}{24,}(?:\\.[A-Za-z0-9]{1,16})?` }, // the namespace follows a dot
  {
    kind: 'vault token', // before 1.10
    form: '[sb]\\.(?:[A-Za-z0-9]){24,}',
    sign: '[sb]\\.[A-Za-z0-9]{24}',
    isLikely: (text) => text.length === 26 && [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(text.slice(2))),
  },
  {
    kind: 'discord token',
    form: `[MNO](?:[A-Za-z0-9_-]){23,27}\\.(?:[A-Za-z0-9_-]){6}\\.${WORD}{27,}`,
    sign: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.',
    isLikely: hasDigit,
  },
  { kind: 'databricks token', form: 'dapi[a-f0-9]{32,}' },
  { kind: 'linear key', form: 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}' },
  { kind: 'atlassian token', form: `ATATT3${WORD}{50,}=?[A-F0-9]{0,8}` },
  { kind: 'shopify token', form: 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}' },
  { kind: 'age key', form: 'AGE-SECRET-KEY-1[0-9A-Z]{58,}' },
  { kind: 'jwt', form: `eyJ${WORD}{5,}\\.eyJ${WORD}{4,}\\.${WORD}*` },
  // an environment variable's name may begin like a token; a token whose form allows digits contains some
  ...SECRETLINT_FORMS.map((own) => (/0-9|\\d/.test(own.form) ? { ...own, isLikely: hasDigit } : own)),
];
