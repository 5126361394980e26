import { expect, test } from 'vitest'
import { maxBytes, problemOf } from './limits.ts'

test.each([
  [1, 'image/png', null],
  [maxBytes, 'application/pdf', null],
  [maxBytes + 1, 'image/png', 'This file is larger than 20 MB.'],
  [0, 'image/png', 'This file is empty.'],
  [Number.NaN, 'image/png', 'This file is empty.'],
  [-1, 'image/png', 'This file is empty.'],
  [1, 'text/html', 'Choose a JPEG, a PNG or a PDF.'],
  [1, 'constructor', 'Choose a JPEG, a PNG or a PDF.'],
  [1, '__proto__', 'Choose a JPEG, a PNG or a PDF.'],
])('%d bytes of %s: %j', (size, type, problem) => {
  expect(problemOf({ size, type })).toBe(problem)
})
