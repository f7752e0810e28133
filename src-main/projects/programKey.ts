/** Config keys whose values git runs as programs, also for `git status`. */
const RUNS =
  /^(?:core\.(?:fsmonitor|hookspath|sshcommand|pager|editor|askpass|gitproxy|worktree|alternaterefscommand)|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|include\.path|includeif\..*\.path|alias\..*|pager\..*|(?:gpg|credential)(?:\..*)?\.(?:program|helper)|sequence\.editor|interactive\.difffilter|(?:remote\..*|uploadpack|receive)\.(?:uploadpack|receivepack|packobjectshook|procreceiverefs)|protocol\.ext\.allow|extensions\.worktreeconfig|init\.templatedir|difftool\..*|mergetool\..*|trailer\..*\.(?:command|cmd))$/;

/** The first key of a repository's config that can make git run a program; undefined when there is no such key. */
export function programKey(config: string): string | undefined {
  return configKeys(config).find((name) => RUNS.test(name));
}

/** `section.sub.key` in small letters but for `sub`. Errs towards more keys: a value's continuation counts as a key, too. */
function configKeys(text: string): string[] {
  const keys: string[] = [];
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    if (header) section = [header[1]?.toLowerCase(), header[2]].filter((part) => part !== undefined).join('.');
    const key = /^\s*([A-Za-z][\w-]*)/.exec(header ? (header[3] ?? '') : line)?.[1];
    if (key !== undefined) keys.push(`${section}.${key.toLowerCase()}`);
  }
  return keys;
}
