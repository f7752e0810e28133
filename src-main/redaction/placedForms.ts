/** A secret that its context identifies: a program's option, a header's name, a field of a file. */
export interface PlacedForm {
  readonly kind: string;
  /** Matches one line of every match. */
  readonly sign: RegExp;
  /** Group 1 stays, group 2 is the secret. */
  readonly pattern: RegExp;
}

export const PLACED_FORMS: readonly PlacedForm[] = [
  {
    kind: 'cookie',
    sign: /cookie/i,
    pattern: /(\b(?:set-)?cookie2?["']?[ \t]{0,4}:[ \t]{0,4}["'`]?)([^\s=;,"'`]{1,128}=[^\r\n"'`]{1,4096})/gi,
  },
  {
    kind: 'cookie',
    sign: /[ \t](?:-b|--cookie)/,
    pattern: /(\bcurl[^\n]{0,400}?[ \t](?:-b|--cookie)[ =]{0,2}["']?)([^\s=;"']{1,128}=[^\s"']{1,4096})/g,
  },
  {
    kind: 'cookie', // a line of a cookie jar
    sign: /\t(?:TRUE|FALSE)\t/,
    pattern: /(\t(?:TRUE|FALSE)\t[^\t\n]{1,256}\t(?:TRUE|FALSE)\t\d{1,20}\t[^\t\n]{1,256}\t)([^\t\r\n]{1,4096})/g,
  },
  {
    kind: 'password', // .netrc
    sign: /\bpassword\s+\S/,
    pattern:
      /(\b(?:machine|login|account)[ \t\r\n]{1,16}[^\s"']{1,256}[ \t\r\n]{1,16}password[ \t]{1,8})([^\s"']{1,256})/g,
  },
  {
    kind: 'password', // .pgpass: host, port, database, user
    sign: /:(?:\d{4,5}|\*):/,
    pattern:
      /((?:^|[\s"'`])[A-Za-z0-9.*_-]{1,253}:(?:\d{4,5}|\*):[A-Za-z0-9_*-]{1,64}:[A-Za-z0-9_*.@-]{1,64}:)([^\s:"'`]{4,256})(?=$|[\s"'`])/gm,
  },
  {
    kind: 'aws key', // would count as a code path if it begins with a slash
    sign: /secret_?access_?key/i,
    pattern: /(secret_?access_?key["']?[ \t]{0,8}(?:=>|[:=])[ \t]{0,8}["']?)([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/gi,
  },
  option('password', 'mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mariadb(?:-[a-z]+)?', '-p'),
  option('password', 'sshpass', '-p[ \\t]{0,4}'),
  option(
    'password',
    '(?:docker|podman|nerdctl|skopeo|buildah|crane|oras|helm)[^\\n]{0,60}?\\blogin',
    '(?:-p[ \\t=]?|--password[ =])',
  ),
  option('password', 'redis-cli', '(?:-a|--pass)[ =]'),
  {
    kind: 'otp secret',
    sign: /otpauth/i,
    pattern: /(\botpauth:\/\/[^\s"'<>]{1,512}?[?&]secret=)([A-Za-z2-7=%]{8,256})/gi,
  },
];

function option(kind: string, program: string, flag: string): PlacedForm {
  return {
    kind,
    sign: new RegExp(`[ \\t]${flag}`),
    pattern: new RegExp(`(\\b(?:${program})\\b[^\\n]{0,400}?[ \\t]${flag}["'\`]?)([^\\s"'\`]{1,256})`, 'g'),
  };
}
