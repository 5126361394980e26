import type { Reporter, TestCase } from 'vitest/node'

/**
 * Prints why a test failed the first time if it passed when it was repeated, so that unsteady tests
 * are noticed.
 */
export default class RetriedReporter implements Reporter {
  onTestCaseResult(testCase: TestCase): void {
    if (!testCase.diagnostic()?.flaky) return
    const { errors = [] } = testCase.result()
    const messages = errors.map(({ message, stack, diff }) => [stack ?? message, diff].join('\n'))
    console.log(`Passed only when it was repeated: ${testCase.fullName}\n${messages.join('\n')}`)
  }
}
