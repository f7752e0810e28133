// A reporter for vitest: writes the tests that only a retry let pass into the file that $HANSARD_TEST_FLAKES names, a JSON array of names.
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
