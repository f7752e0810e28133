/** A build of 5,000 steps that fails at one of them. The error is in the middle of its output, as in real builds. */
export const BUILD = {
  files: {
    'build.sh': [
      'code=0',
      'for i in $(seq 1 3700); do echo "[$i/5000] step $i of the build"; done',
      'node --check src/broken.js || code=$?',
      'for i in $(seq 3701 5000); do echo "[$i/5000] step $i of the build"; done',
      'exit $code',
      '',
    ].join('\n'),
    'src/broken.js': 'export function total(a, b) {\n  return a + (b;\n}\n',
    'src/fixed.js': 'export function total(a, b) {\n  return a + b;\n}\n',
  },
  command: 'sh build.sh',
  error: "SyntaxError: Unexpected token ';'",
} as const;

/** The model's commands after the failure: the person allows the first and denies the second. */
export const REPAIR = 'cp src/fixed.js src/broken.js && node --check src/broken.js && echo the build is whole';
export const REPAIR_REASON = 'puts the missing parenthesis back';
export const FORBIDDEN = 'git push --force';
export const NO = 'never push from here';
