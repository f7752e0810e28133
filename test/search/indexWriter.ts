/** Runs as its own program until it is killed: indexes a data folder (argument 1) in a loop, and prints `begun` at each start. */
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
