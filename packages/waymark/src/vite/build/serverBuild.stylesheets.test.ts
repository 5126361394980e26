import { expect, test } from 'vitest'
import { findStylesheets } from './serverBuild.ts'

const appDir = '/site/app'

type Chunk = ReturnType<typeof chunk>

function chunk(fileName: string, parts: { css: string[]; imports?: string[]; ids?: string[] }) {
  const { css, imports = [], ids: moduleIds = [] } = parts
  const viteMetadata = {
    importedCss: new Set(css),
    importedAssets: new Set<string>(),
    __modules: null,
  }
  return { type: 'chunk', fileName, imports, moduleIds, viteMetadata } as const
}

function find(chunks: readonly Chunk[], client: Record<string, string[]> = {}) {
  return findStylesheets(Object.fromEntries(chunks.map((each) => [each.fileName, each])), {
    files: ['layout.tsx', 'page.tsx', 'plain/page.tsx'],
    appDir,
    base: '/base/',
    clientStylesOf: (id) => client[id] ?? [],
  })
}

test("styles of imported modules come before a file's own, without duplicates", () => {
  const stylesByFile = find([
    chunk('shared.js', { css: ['shared.css'] }),
    chunk('part.js', { css: ['part.css'], imports: ['shared.js'] }),
    chunk('page.js', {
      css: ['page.css'],
      imports: ['part.js', 'shared.js', 'elsewhere'],
      ids: [`${appDir}/page.tsx`],
    }),
    chunk('plain.js', { css: [], ids: [`${appDir}/plain/page.tsx`] }),
  ])
  expect(stylesByFile).toEqual({
    'page.tsx': ['/base/shared.css', '/base/part.css', '/base/page.css'],
  })
})

test('styles of client components follow the styles of the file that imports them', () => {
  const page = chunk('page.js', { css: ['page.css'], ids: [`${appDir}/page.tsx`] })
  const stylesByFile = find([page], {
    [`${appDir}/page.tsx`]: ['/base/part.css', '/base/page.css', '/base/part.css'],
    [`${appDir}/layout.tsx`]: ['/base/menu.css'],
  })
  expect(stylesByFile).toEqual({
    'layout.tsx': ['/base/menu.css'],
    'page.tsx': ['/base/page.css', '/base/part.css'],
  })
})
