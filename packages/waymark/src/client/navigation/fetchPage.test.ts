import { expect, test, vi } from 'vitest'
import { decodePrefetched, isOtherBuild } from './fetchPage.ts'

// React's runtime isn't under test, and it needs a bundler.
vi.mock('@vitejs/plugin-rsc/react/browser', () => ({
  createFromReadableStream: (stream: ReadableStream) => new Response(stream).json(),
}))

test.each([
  ['b', 'a', true],
  ['a', 'a', false],
  [null, 'a', false],
  ['a', null, false],
  [null, null, false],
])(
  'data of build %s in a document of build %s counts as another build: %s',
  (responseBuild, documentBuild, expected) => {
    expect(isOtherBuild(responseBuild, documentBuild)).toBe(expected)
  },
)

test('a page says which build it is from if a static host does not', async () => {
  const url = new URL('https://example.com/')
  const decode = async (build: string | null) => {
    const bytes = new TextEncoder().encode('{"build":"a"}')
    return (await decodePrefetched({ bytes, build }, url)).build
  }
  expect(await decode(null)).toBe('a')
  expect(await decode('b')).toBe('b')
})
