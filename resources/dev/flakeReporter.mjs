// A vitest reporter that writes the names of tests that passed only on a retry to the file $HANSARD_TEST_FLAKES, as a JSON array.
import { writeFileSync } from 'node:fs';

export default class FlakeReporter {
  #names = [];

  onTestCaseResult(testCase) {
    if (testCase.diagnostic()?.flaky) this.#names.push(`${testCase.module.relativeModuleId} > ${testCase.fullName}`);
  }

  onTestRunEnd() {
    const path = process.env.HANSARD_TEST_FLAKES;
    if (path) writeFileSync(path, JSON.stringify(this.#names));
  }
}
