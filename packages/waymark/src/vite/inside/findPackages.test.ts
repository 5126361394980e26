import { expect, test } from 'vitest'
import { isClientText } from './findPackages.ts'

test.each([
  ["'use client'\nexport {}", true],
  ['"use strict";\n"use client";', true],
  ["// of a package\n/** with\n * a licence **/ /**/\n'use client'", true],
  ["export {}\n'use client'", false],
  ["/* 'use client' */ export {}", false],
  ["// 'use client'", false],
])('a client file begins with its directive: %j', (text, expected) => {
  expect(isClientText(text)).toBe(expected)
})

// Tried in every way that they could be parted, these take longer than a test may.
test.each(['/** a */ ', '//', '// a // b\n'])('many comments are read once: %j', (comment) => {
  expect(isClientText(`${comment.repeat(20_000)}\nexport {}`)).toBe(false)
  expect(isClientText(`${comment.repeat(20_000)}\n'use client'`)).toBe(true)
})
