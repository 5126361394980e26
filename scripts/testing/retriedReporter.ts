import type { Reporter, TestCase } from 'vitest/node'

/**
 * Prints the first failure of a test that passed when it was repeated, so that people notice
 * unsteady tests.
 */
export default class RetriedReporter implements Reporter {
  onTestCaseResult(testCase: TestCase): void {
    if (!testCase.diagnostic()?.flaky) return
    const { errors = [] } = testCase.result()
    const messages = errors.map(({ message, stack, diff }) => [stack ?? message, diff].join('\n'))
    console.log(`Passed only when it was repeated: ${testCase.fullName}\n${messages.join('\n')}`)
  }
}
