import type { MessageBoxOptions } from 'electron';
import type { LinkFault } from '../../contract/cardLink.ts';

const REASONS: Readonly<Record<LinkFault, string>> = {
  long: 'It is too long to be a link of Hansard.',
  foreign: 'It is not a link of Hansard.',
  form: 'It names no terminal. Copy it again from a card.',
};

/** The message for a refused link. It does not contain the link, which may be a megabyte long or imitate a message. */
export function linkRefusal(fault: LinkFault): MessageBoxOptions {
  return {
    type: 'warning',
    title: 'Hansard',
    message: 'The link was not opened.',
    detail: REASONS[fault],
    buttons: ['OK'],
    noLink: true,
  };
}
