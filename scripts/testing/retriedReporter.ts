import type { Reporter, TestCase } from 'vitest/node'

/** Shows why a test failed that passed when it was run again: what is late now and then is seen. */
export default class RetriedReporter implements Reporter {
  onTestCaseResult(testCase: TestCase): void {
    if (!testCase.diagnostic()?.flaky) return
    const { errors = [] } = testCase.result()
    const messages = errors.map(({ message, stack, diff }) => [stack ?? message, diff].join('\n'))
    console.log(`Passed only when it was run again: ${testCase.fullName}\n${messages.join('\n')}`)
  }
}
