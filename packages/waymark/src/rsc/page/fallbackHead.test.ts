import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMetadataResolver } from '../metadata/resolve.ts'
import { renderFallbackHead } from './head.ts'
import type { LoadedRouteFile } from './routeModules.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type FallbackHeadOptions = Parameters<typeof renderFallbackHead>[0]

function render(file: LoadedRouteFile['module']) {
  // The head of a fallback reads only these properties of a page and an app.
  const page = { origin: null, pathname: '/blog' } as FallbackHeadOptions['page']
  const app = { resolveMetadata: createMetadataResolver() } as FallbackHeadOptions['app']
  const screen = {
    file: 'not-found.tsx',
    module: file,
    styles: null,
    stylesheets: [],
    clientFiles: [],
    mayNeedReact: false,
  }
  return renderFallbackHead({ place: null, file: screen, title: 'Not found', page, app })
}

const titleOf = (head: Awaited<ReturnType<typeof render>>) =>
  head.find(({ type }) => type === 'title')?.props

test("a fallback gets its title from its file's metadata", async () => {
  const head = render({ generateMetadata: async () => ({ title: 'Nothing here' }) })
  expect(titleOf(await head)).toMatchObject({ children: 'Nothing here' })
})

test('a fallback whose metadata never resolves gets the title of its status', async () => {
  const head = render({ generateMetadata: () => new Promise<never>(() => {}) })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(titleOf(await head)).toMatchObject({ children: 'Not found' })
})
