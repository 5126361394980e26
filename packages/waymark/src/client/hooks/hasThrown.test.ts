import { expect, test } from 'vitest'
import { hasThrown } from './hasThrown.ts'

test.each([
  [new TypeError('Failed to fetch dynamically imported module: https://a.test/x.js'), false],
  [new TypeError('error loading dynamically imported module: https://a.test/x.js'), false],
  [new TypeError('Importing a module script failed.'), false],
  [new DOMException('The code did not arrive in time.', 'TimeoutError'), false],
  [new TypeError("Cannot read properties of null (reading 'getItem')"), true],
  [new DOMException('The operation is insecure.', 'SecurityError'), true],
])('%s', (error, expected) => expect(hasThrown(error)).toBe(expected))
