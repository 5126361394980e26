import { expect, test } from 'vitest'
import { withImportsFirst } from './cssImportsPlugin.ts'

test.each([
  ['a {}\n@import "b";\nc {}', '@import "b";a {}\n\nc {}'],
  [
    "@import 'tailwindcss';\n@custom-variant dark (&:is(.dark *));\n@import './theme.css' layer(a);\n",
    "@import 'tailwindcss';@import './theme.css' layer(a);\n@custom-variant dark (&:is(.dark *));\n\n",
  ],
  [
    "@import 'a;b';\n@theme { --a: '}'; }\n@import url(https://c.test/d;e);\n@import 'f';",
    "@import 'a;b';@import url(https://c.test/d;e);@import 'f';\n@theme { --a: '}'; }\n\n",
  ],
])('%j becomes %j', (code, expected) => {
  expect(withImportsFirst(code)).toBe(expected)
})

test.each([
  "/* @import 'x'; */\n@layer a, b;\n@import 'y';\na {}",
  "a { content: '@import \"b\";' }\n/* @import 'c'; */",
  '@plugin "a";',
])('%j stays as it is', (code) => {
  expect(withImportsFirst(code)).toBe(code)
})
