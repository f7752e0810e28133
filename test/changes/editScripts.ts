import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Repo } from './Repo.ts';

const PATHS = [
  ...['a.txt', 'b.txt', 'src/c.ts', 'src/d.ts', 'src/deep/e.ts', 'docs', 'docs/f.md', 'x.log', 'build/out.js'],
  ...['odd "quoted".txt', 'new\nline', 'tab\there', 'ünïcode', '-dash', ':(glob)*', 'back\\slash', ' space '],
];
const TEXTS = [
  '',
  'one\n',
  'one\ntwo\nthree\nfour\nfive\n',
  'no end',
  'crlf\r\nlines\r\n',
  '\u0000\u0001binary',
  '$Id$\n',
];

export type Edit =
  | { op: 'write'; path: string; text: string }
  | { op: 'delete' | 'stage' | 'intend' | 'force' | 'program' | 'plain'; path: string }
  | { op: 'rename' | 'link'; path: string; to: string }
  | { op: 'ignore'; folder: string; pattern: string }
  | { op: 'attributes'; text: string }
  | { op: 'commit' | 'conflict' | 'stash' };

const path = fc.constantFrom(...PATHS);
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 400 }));
const EDIT: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('write' as const), path, text }) },
  fc.record({ op: fc.constantFrom('delete', 'stage', 'intend', 'force', 'program', 'plain'), path }),
  fc.record({ op: fc.constantFrom('rename', 'link'), path, to: path }),
  fc.record({
    ...{ op: fc.constant('ignore' as const), folder: fc.constantFrom('', 'src', 'docs') },
    pattern: fc.constantFrom('*.log', 'build/', '*.ts', '!c.ts', 'f.md'),
  }),
  fc.record({
    op: fc.constant('attributes' as const),
    text: fc.constantFrom('* text=auto eol=crlf\n', '*.txt ident\n', '*.ts filter=evil diff=evil\n', 'a.txt -diff\n'),
  }),
  fc.record({ op: fc.constantFrom('commit', 'conflict', 'stash') }),
) as fc.Arbitrary<Edit>;
export const EDITS = fc.array(EDIT, { minLength: 1, maxLength: 14 });

/** Performs the edits and skips those that fail, like a person's failed commands. */
export function apply(repo: Repo, edits: readonly Edit[]): void {
  for (const edit of edits) {
    try {
      perform(repo, edit);
    } catch {
      // The file is missing or git refuses; continue with the next edit.
    }
  }
}

function perform(repo: Repo, edit: Edit): void {
  const full = 'path' in edit ? join(repo.root, edit.path) : repo.root;
  switch (edit.op) {
    case 'write':
      return put(full, edit.text);
    case 'delete':
      return rmSync(full, { recursive: true });
    case 'program':
    case 'plain':
      return chmodSync(full, edit.op === 'program' ? 0o755 : 0o644);
    case 'rename':
      mkdirSync(dirname(join(repo.root, edit.to)), { recursive: true });
      return renameSync(full, join(repo.root, edit.to));
    case 'link':
      if (existsSync(full)) unlinkSync(full);
      mkdirSync(dirname(full), { recursive: true });
      return symlinkSync(edit.to, full);
    case 'ignore':
      return put(join(repo.root, edit.folder, '.gitignore'), `${edit.pattern}\n`);
    case 'attributes':
      return put(join(repo.root, '.gitattributes'), edit.text);
    default:
      return void inGit(repo, edit);
  }
}

function inGit(repo: Repo, edit: Edit): unknown {
  if (edit.op === 'stage' && 'path' in edit) return repo.git('--literal-pathspecs', 'add', '--', edit.path);
  if (edit.op === 'intend' && 'path' in edit) return repo.git('--literal-pathspecs', 'add', '-N', '--', edit.path);
  if (edit.op === 'force' && 'path' in edit) return repo.git('--literal-pathspecs', 'add', '-f', '--', edit.path);
  if (edit.op === 'commit') return repo.git('commit', '-qam', 'more');
  if (edit.op === 'stash') return repo.git('stash');
  return conflict(repo);
}

/** Two branches that change one line in different ways, merged: three stages in the index, and marks in the file. */
function conflict(repo: Repo): void {
  repo.commit('before the conflict');
  const branch = repo.git('branch', '--show-current').trim();
  repo.git('checkout', '-qb', `other-${Date.now()}-${Math.round(performance.now() * 1000)}`);
  put(join(repo.root, 'a.txt'), 'theirs\n');
  repo.commit('theirs');
  const other = repo.git('branch', '--show-current').trim();
  repo.git('checkout', '-q', branch);
  put(join(repo.root, 'a.txt'), 'ours\n');
  repo.commit('ours');
  repo.git('merge', other);
}

function put(full: string, content: string): void {
  mkdirSync(dirname(full), { recursive: true });
  if (lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(full);
  writeFileSync(full, content);
}
