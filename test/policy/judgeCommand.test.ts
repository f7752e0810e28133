import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { EXAMPLE, generous, judge } from './allow.ts';

const verdicts = (policy: Policy, commands: readonly string[]): string[] =>
  commands.map((cmd) => `${judge(policy, cmd).verdict} ${cmd}`);
const readFixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/policy/${name}`, import.meta.url), 'utf8');
const all = (verdict: string, commands: readonly string[]): string[] => commands.map((cmd) => `${verdict} ${cmd}`);

describe('allowed', () => {
  const rows = [
    'ls',
    'ls -la',
    'ls -la src',
    "ls 'a b'",
    'ls "a b"',
    'ls a\\ b',
    "ls 'x; rm -rf y'",
    'ls ""',
    "ls 'HEAD~1'",
    'ls  -l   x',
    'ls x ',
    'git status',
    'git diff --stat',
    'git log -5 --oneline',
    'git log --author=me --since="2 weeks ago"',
    "git log --grep 'rm -rf'",
    'git diff src/a.ts',
    "git log --format='%h %s'",
    "git diff 'HEAD~1' -- src",
    'git status && ls',
    'git status; ls',
    'git log | ls',
    'ls || git diff',
    "git log -S 'é'",
    "ls '$HOME'",
    "ls '*'",
    'ls "it\'s"',
    'ls a=b',
    'ls --color=never',
  ];

  test('is what the example of the specification allows', () => {
    for (const shell of ['bash', 'zsh'])
      expect(rows.map((cmd) => `${judge(EXAMPLE, cmd, shell).verdict} ${cmd}`)).toEqual(all('allow', rows));
  });

  test('is what a person allowed who allows more', () => {
    const policy = generous(
      'npm test',
      'make lint',
      'sed',
      'docker ps',
      'gh pr',
      'man',
      'find',
      'tee',
      '/opt/x/tool run',
    );
    const more = [
      "sed -n '1,20p' a.ts",
      "sed 's/a/b/g' x",
      'sed -nE 5p x',
      'npm test',
      'make lint',
      'docker ps',
      'gh pr list --json',
      'man ls',
      "find . -name '*.ts' -type f",
      'tee x',
      '/opt/x/tool run -v',
    ];
    expect(verdicts(policy, more)).toEqual(all('allow', more));
    const redirected = [
      'find . >out.txt',
      'find . 2>&1',
      'find . 2>/dev/null >> a/b.log',
      'man ls < a.txt',
      'man ls\nman cat',
    ];
    expect(verdicts(policy, redirected)).toEqual(all('allow', redirected));
  });

  test('names every rule that it took, once', () => {
    expect(judge(EXAMPLE, 'ls && git log && ls')).toEqual({
      verdict: 'allow',
      rule: 'allow[1],allow[0]',
      subcommand: null,
      reason: 'a rule allows every command in it',
      argvs: [['ls'], ['git', 'log'], ['ls']],
    });
  });
});

describe('asked', () => {
  test('is what no rule names, told with the rule and the part that it is about', () => {
    const told = (cmd: string, policy = EXAMPLE): unknown => {
      const { verdict, rule, subcommand } = judge(policy, cmd);
      return [verdict, rule, subcommand];
    };
    expect(told('ls && make it')).toEqual(['ask', 'runner', 'make it']);
    expect(told('ls; who -a; ls')).toEqual(['ask', 'default', 'who -a']);
    expect(told('who; sudo ls')).toEqual(['ask', 'wrapper', 'sudo ls']);
    expect(told('ls | head $x')).toEqual(['ask', 'substitution', 'head $x']);
    expect(told('ls > x')).toEqual(['ask', 'redirects', 'ls > x']);
    expect(told('ls\nls')).toEqual(['ask', 'multiline', null]);
    expect(told('ls; ls *')).toEqual(['ask', 'parse', 'ls *']);
    expect(told('git log -c')).toEqual(['ask', 'option', 'git log -c']);
    expect(told('git push')).toEqual(['ask', 'default', 'git push']);
    expect(told('git -p log')).toEqual(['ask', 'default', 'git -p log']);
    expect(told("'ls'")).toEqual(['ask', 'quoted_name', "'ls'"]);
    expect(told('./ls')).toEqual(['ask', 'default', './ls']);
    expect(told('/bin/ls')).toEqual(['ask', 'default', '/bin/ls']);
    expect(told('lsblk')).toEqual(['ask', 'default', 'lsblk']);
    expect(told('git log', generous('git'))).toEqual(['ask', 'default', 'git log']);
    expect(told('npm test -- x', generous('npm test'))).toEqual(['ask', 'runner', 'npm test -- x']);
  });

  test('class 7: is a flag that a rule leaves out, however it is written', () => {
    const policy = Policy.parse({
      exec: { allow: [{ argv: ['grep'], flags_deny: ['-x', '--write', '-go', '-exec'] }] },
    });
    const rows = [
      'grep -x',
      'grep --x',
      'grep -xval',
      'grep -vx',
      'grep "-x"',
      "grep '-'x",
      'grep \\-x',
      'grep -\\x',
      'grep a -x',
      'grep -- -x',
      'grep --write',
      'grep --write=a',
      'grep --wri',
      'grep --w',
      'grep --write a',
      'grep -write',
      "grep '--wr'ite",
      'grep -g -o',
      'grep -og',
      'grep -vgo',
      'grep -exec',
      'grep -exec=a',
      'grep --exec',
    ];
    expect(verdicts(policy, rows)).toEqual(all('ask', rows));
    const fine = ['grep', 'grep x', 'grep -v', 'grep -g', 'grep write', 'grep --verbose', 'grep a-x', 'grep -'];
    expect(verdicts(policy, fine)).toEqual(all('allow', fine));
  });

  test('is a command of more than 50 parts; of more than 8,192 characters, with nothing that is denied', () => {
    expect(judge(EXAMPLE, Array(50).fill('ls').join(';')).verdict).toBe('allow');
    expect(judge(EXAMPLE, Array(51).fill('ls').join(';'))).toMatchObject({ verdict: 'ask', rule: 'size' });
    const long = (chars: number): string => `ls ${'x'.repeat(chars - 3)}`;
    expect(judge(EXAMPLE, long(8192)).verdict).toBe('allow');
    expect(judge(generous('ls'), long(8193))).toMatchObject({ verdict: 'ask', rule: 'size', argvs: null });
  });

  test('is nothing at all: an empty command', () => {
    expect(verdicts(EXAMPLE, ['', ' ', '\n'])).toEqual(all('ask', ['', ' ', '\n']));
  });
});

describe('denied', () => {
  test('is what a rule denies, however it is written', () => {
    const rows = [
      'rm -rf x',
      'rm -fr x',
      'rm -r -f x',
      'rm -f x -r',
      'rm -Rf x',
      'rm --recursive x',
      'rm --rec x',
      'rm --recursive=x',
      'rm -r x',
      'rm x -rf',
      'rm -vrf x',
      'rm -- -rf',
      "rm '-rf' x",
      'rm \\-rf x',
      'r\\m -rf x',
      "'rm' -rf x",
      '/bin/rm -rf x',
      '../bin/rm -rf x',
      'RM -rf x',
      'ls; rm -rf x',
      'ls && rm -rf x',
      'ls | rm -rf x',
      'ls\nrm -rf x',
      'rm -rf x > y',
      'curl x | sh',
      'curl x | bash',
      'curl x |zsh',
      "c'u'rl x | sh",
      'curl x|sh -s',
    ];
    expect(verdicts(EXAMPLE, rows)).toEqual(all('deny', rows));
  });

  test('is not hidden by programs that run it', () => {
    const rows = [
      'sudo rm -rf x',
      'env rm -rf x',
      'env A=b rm -rf x',
      'nohup nice rm -rf x',
      'xargs rm -rf',
      'timeout 5 rm -rf x',
      'bash -c "rm -rf x"',
      'bash -c "ls; r\'m\' -rf x"',
      'sh -c "sh -c \'rm -rf x\'"',
      'ssh host rm -rf x',
      "ssh host 'rm -rf x'",
      'docker exec a rm -rf x',
      'busybox rm -rf x',
      'eval rm -rf x',
      'eval "rm -rf x"',
      'exec rm -rf x',
      'command rm -rf x',
      'git -c alias.x="rm -rf x" x',
      "tar --to-command='rm -rf x' -xf y",
      'find . -exec rm -rf x +',
      'git rebase --exec "rm -rf x"',
      'trap "rm -rf x" EXIT',
      'awk \'BEGIN{system("rm -rf x")}\'',
      'perl -e "system(q(rm -rf x))"',
      'watch rm -rf x',
      'rsync -e "rm -rf x" a b',
    ];
    expect(verdicts(EXAMPLE, rows)).toEqual(all('deny', rows));
  });

  test('class 9: is what could be so in a text that was not understood', () => {
    const rows = JSON.parse(readFixture('denied-unread.json')) as string[];
    expect(verdicts(EXAMPLE, rows)).toEqual(all('deny', rows));
    const asked = [
      'echo $(date)',
      '$(which git) log',
      'cat r*',
      'rm x*.o',
      'A=b rm x',
      'rm x &',
      'charm -rf $x',
      'ls rmdir $x',
    ];
    expect(verdicts(EXAMPLE, asked)).toEqual(all('ask', asked));
  });

  test('in a shell whose grammar is not read too', () => {
    for (const shell of ['fish', 'pwsh', 'cmd', '']) {
      for (const cmd of ['rm -rf x', 'ls; rm -rf x', '& rm -rf x', 'begin; rm -rf x; end', 'curl x | sh'])
        expect(judge(EXAMPLE, cmd, shell), cmd).toMatchObject({ verdict: 'deny', argvs: null });
    }
  });

  test('the first word of tar and ar is options with no dash too', () => {
    const policy = Policy.parse({
      exec: {
        allow: [{ argv: ['tar', ['cf', 'cIf', 'chf', 'xf', 'xPf', '-x']], flags_deny: ['-h'] }, { argv: ['ar'] }],
        deny: [{ argv: ['tar'], flags_any: ['-P'] }],
      },
    });
    const told = ['tar cf a b', 'tar cIf ./evil a b', 'tar chf a b', 'tar xPf a', 'tar -x -Pf a', 'tar xf P'];
    expect(told.map((cmd) => judge(policy, cmd).verdict)).toEqual(['allow', 'ask', 'ask', 'deny', 'deny', 'allow']);
  });

  test('words between those of a rule do not hide it', () => {
    const policy = Policy.parse({
      exec: { deny: [{ argv: ['git', ['push', 'remote']], flags_any: ['--force', '-f'] }, { argv: ['dd'] }] },
    });
    const rows = [
      'git push --force',
      'git push -f',
      'git push --forc',
      'git push -uf',
      'git -C x push --force',
      'git --no-pager push origin main -f',
      'dd',
      'dd if=a of=b',
      '/bin/dd a',
      'git push -o -- --force',
    ];
    expect(verdicts(policy, rows)).toEqual(all('deny', rows));
    const asked = ['git push', 'git fetch --force', 'git push --force-with-lease', 'ddrescue', 'git push origin x'];
    expect(verdicts(policy, asked)).toEqual(all('ask', asked));
  });

  test('class 10: stands above allow, wherever the rules stand', () => {
    const policy = Policy.parse({
      exec: { allow: [{ argv: ['rm'] }], deny: [{ argv: ['rm'], flags_any: ['-rf'] }, { raw_regex: 'secret' }] },
    });
    expect(verdicts(policy, ['rm x', 'rm -rf x', "rm 'sec'ret"])).toEqual([
      'allow rm x',
      'deny rm -rf x',
      "deny rm 'sec'ret",
    ]);
    expect(judge(policy, 'rm x; rm -rf y')).toMatchObject({ verdict: 'deny', rule: 'deny[0]', subcommand: 'rm -rf y' });
  });

  test('is a pattern that takes too long to try: nobody knows what it would have said', () => {
    const policy = Policy.parse({ exec: { allow: [{ argv: ['ls'] }], deny: [{ raw_regex: '^(.+)+z$' }] } });
    expect(judge(policy, `ls ${'a'.repeat(60)}`)).toMatchObject({ verdict: 'deny', rule: 'deny[0]' });
    expect(judge(policy, 'ls a').verdict).toBe('allow');
  });

  test('is what is too long to look through, as soon as anything is', () => {
    expect(judge(EXAMPLE, `ls ${'x'.repeat(9000)}`)).toMatchObject({ verdict: 'deny', rule: 'size' });
  });

  test('is what the policy calls so by name', () => {
    const policy = Policy.parse({
      exec: { allow: [{ argv: ['ls'] }], redirects: 'deny', substitution: 'deny', multiline: 'deny' },
    });
    const told = (cmd: string): string => `${judge(policy, cmd).verdict} ${judge(policy, cmd).rule}`;
    expect(
      ['ls >a', 'ls $x', 'ls a*; ls $(x)', 'ls\nls', 'ls </dev/tcp/a/1', 'ls * >a', 'ls *', 'ls'].map(told),
    ).toEqual([
      'deny redirects',
      'deny substitution',
      'deny substitution',
      'deny multiline',
      'deny network_redirect',
      'deny redirects',
      'ask parse',
      'allow allow[0]',
    ]);
  });

  test('is all that no rule allows, where the person wants it so', () => {
    const policy = Policy.parse({ exec: { allow: [{ argv: ['ls'] }], default: 'deny' } });
    expect(verdicts(policy, ['ls', 'id', 'ls; id', 'ls *', 'sudo ls', 'ls > a'])).toEqual([
      'allow ls',
      'deny id',
      'deny ls; id',
      'deny ls *',
      'deny sudo ls',
      'ask ls > a',
    ]);
  });
});

describe('laws', () => {
  const rows = readFixture('command-policy.jsonl').trim().split('\n');

  test.for(rows)('%s', (line) => {
    const { cmd, allow_rules, must } = JSON.parse(line) as { cmd: string; allow_rules: string[]; must: string };
    expect(judge(Policy.parse({ exec: { allow: allow_rules.map((word) => ({ argv: [word] })) } }), cmd).verdict).toBe(
      must,
    );
  });

  test('an allowed command with a sign of the shell behind it, and anything behind that, is not allowed', () => {
    const sign = fc.constantFrom(...'`$*?[]{}()&<>!#~^\n\t\r\\', '$(', '<(', '||', '|', ';', '&&');
    fc.assert(
      fc.property(fc.constantFrom('ls', 'ls -la', 'git log'), sign, fc.string({ maxLength: 12 }), (cmd, char, more) => {
        const text = `${cmd} ${char}${more}`;
        const { verdict, argvs } = judge(EXAMPLE, text);
        // Except when an allowed command follows a separator, or the sign is a quoted character.
        if (verdict === 'allow')
          expect(/^(?:;|&&|\|\|?)\s*(?:ls|git)|^\\/.test(char + more), JSON.stringify([text, argvs])).toBe(true);
      }),
      fuzzRuns(1500),
    );
  });

  test('whatever stands around it, a denied command among others is never allowed', () => {
    const around = fc.string({ unit: fc.constantFrom(...'ls;|&"\'\\ $`(){}<>\n!#~a-='), maxLength: 14 });
    fc.assert(
      fc.property(around, around, (before, after) => {
        const { verdict, argvs } = judge(EXAMPLE, `${before} rm -rf x ${after}`);
        // As a quoted argument of another program, it is only text.
        if (verdict === 'allow') expect(argvs?.every(([program]) => program === 'ls')).toBe(true);
      }),
      fuzzRuns(1500),
    );
  });

  test('no text with "!" in it is allowed, quoted or not: an interactive shell looks for it before it looks for quotes', () => {
    const words = fc.string({ unit: fc.constantFrom(...`a '"\\;`), maxLength: 8 });
    fc.assert(
      fc.property(words, words, (before, after) => {
        expect(judge(generous('ls'), `ls ${before}!${after}`).verdict).toBe('ask');
      }),
      fuzzRuns(1500),
    );
  });

  test('any text at all gets a judgement, and none that is not understood is allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const { verdict, argvs } = judge(generous('ls'), text);
        expect(verdict === 'allow' && argvs === null).toBe(false);
      }),
      fuzzRuns(3000),
    );
  });
});
