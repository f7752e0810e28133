/** Run as a program of its own, to be killed: indexes the data folder (argument 2), says so, and begins anew when it is done. */
import { SearchIndexer } from '../../src-main/search/SearchIndexer.ts';
import { IndexFile } from '../../src-main/store/index/IndexFile.ts';
import { silentLog } from '../../src-main/util/Log.ts';

const home = process.argv[2] ?? '';
for (;;) {
  const keeper = new SearchIndexer(home, silentLog);
  keeper.look();
  process.stdout.write('begun\n');
  await keeper.settled();
  await keeper.close();
  IndexFile.remove(home);
}
