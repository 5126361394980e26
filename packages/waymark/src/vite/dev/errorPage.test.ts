import { expect, test } from 'vitest'
import { withFailures } from './errorPage.ts'

const page = { base: '/', errors: () => [] }

function createBody() {
  let isClosed = false
  const body = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: true as const, value: undefined }),
      async return() {
        isClosed = true
        return { done: true as const, value: undefined }
      },
    }),
  }
  return { body, isClosed: () => isClosed }
}

test('a document is closed if its reader leaves before the first byte', async () => {
  const { body, isClosed } = createBody()
  const response = withFailures({ status: 200, headers: [], body }, page)
  const iterator = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  await iterator.return?.()
  expect(isClosed()).toBe(true)
})
