import { expect, test } from 'vitest'
import { reportedText } from './watchWarnings.ts'

test('the values of a warning are inserted into its text', () => {
  expect(reportedText(['%s is an async Client Component. %s', '<Counter>', 'See'])).toBe(
    '<Counter> is an async Client Component. See',
  )
  expect(reportedText(['In HTML, %s cannot be a child of <%s>.%s', '<p>', 'p'])).toBe(
    'In HTML, <p> cannot be a child of <p>.',
  )
})

test.each([
  [['Each child in a list should have a unique "key" prop.']],
  [[new Error('In HTML, nothing')]],
  [[]],
])('%o is only logged to the console', (args) => {
  expect(reportedText(args)).toBe(null)
})
