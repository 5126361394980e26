import { expect, test } from 'vitest'
import { explainError } from './explainError.ts'

test.each([
  ['image', '@waymark/image'],
  ['image/remote', '@waymark/image/remote'],
  ['og', '@waymark/image/og'],
])('an import of waymark/%s is told that it is %s', (entry, name) => {
  // As Vite writes it.
  const message = `"./${entry}" is not exported under the conditions ["module", "node"] from package /app/node_modules/waymark (see exports field in /app/node_modules/waymark/package.json)`
  const { message: told } = explainError({ name: 'Error', message, stack: '' }, '/app')
  expect(told).toBe(
    `waymark/${entry} is ${name}. Run npm install @waymark/image, and import from '${name}'.`,
  )
})
