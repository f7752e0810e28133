import { expect, test } from 'vitest';
import { parseLsof, parseProcTcp } from '../../src-main/projects/listeningPorts.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;

test('listening sockets of IPv4 and IPv6 are read, connections are not', () => {
  const v6 = '00000000000000000000000001000000:1435';
  const table = HEAD + row('0100007F:1F90', '0A', 71) + row('0100007F:1F90', '01', 72) + row(v6, '0A', 73);
  expect(parseProcTcp(table)).toEqual([
    { port: 8080, inode: '71' },
    { port: 5173, inode: '73' },
  ]);
});

test.each(['', HEAD, `${HEAD}garbage\n`, `${HEAD}${row('zz', '0A', 1)}`])(
  'a table without sockets has none: %j',
  (table) => {
    expect(parseProcTcp(table)).toEqual([]);
  },
);

/** `lsof -nP -a -iTCP -sTCP:LISTEN -p 501,502 -Fn` of lsof 4.91 on macOS. */
const LSOF = 'p501\nf23\nn*:5173\nf24\nn[::1]:5173\np502\nf11\nn127.0.0.1:24678\n';

test('ports of lsof are read once each, ascending', () => {
  expect(parseLsof(LSOF)).toEqual([5173, 24678]);
  expect(parseLsof('')).toEqual([]);
});
