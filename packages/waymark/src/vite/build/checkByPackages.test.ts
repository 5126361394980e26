import path from 'node:path'
import { expect, test } from 'vitest'
import { checkRouteFiles } from '../../routing/routeTree.ts'
import type { CheckBuild, CheckedBuild } from '../config/checkBuild.ts'
import { checkByPackages } from './checkByPackages.ts'

const { tree } = checkRouteFiles(['layout.tsx', 'page.tsx', 'posts/[slug]/page.tsx'])
const life = { tags: [], revalidateSeconds: null, expireSeconds: null }
const how = { dynamicReason: null, isPartial: false, revalidateSeconds: null }
const outcome: Parameters<typeof checkByPackages>[2] = {
  routes: [
    {
      pattern: '/',
      kind: 'page',
      file: 'page.tsx',
      pathnames: ['/'],
      onlyPathnames: ['/'],
      ...how,
    },
    {
      pattern: '/posts/[slug]',
      kind: 'page',
      file: 'posts/[slug]/page.tsx',
      pathnames: ['/posts/a', '/posts/b'],
      onlyPathnames: null,
      ...how,
    },
  ],
  files: {
    '/': { file: 'prerendered/index.html', status: 200, headers: [] },
    '/posts/a': { file: 'prerendered/posts/a.html', status: 404, headers: [] },
  },
  shells: { '/posts/b': { file: 'prerendered/posts/b.shell', life } },
}

const actions = { 'k1#save': ['page.tsx'] }
const imports: Readonly<Record<string, readonly string[]>> = {
  '/x/app/form.tsx': ['/x/save.ts', '/x/save.ts?v=1', '/x/node_modules/a/index.js', 'virtual:a'],
}
const references = { importsOf: (id: string) => imports[id] ?? [] }
const manager = {
  serverReferences: {
    findByReferenceKey: (key: string) => (key === 'k1' ? { importId: '/x/save.ts' } : undefined),
  },
  clientReferenceMetaMap: { '/x/app/form.tsx': { referenceKey: 'c1' } },
}

function check(...checks: readonly CheckBuild[]): Promise<string[]> {
  const packages = checks.map((checkBuild, index) => ({ name: `package-${index}`, checkBuild }))
  const folders = { root: '/x', appDir: '/x/app', buildDir: '/x/.waymark', basePath: '' }
  const options = { ...folders, proxy: null, packages: [{ name: 'without-check' }, ...packages] }
  return checkByPackages(tree, { options, actions, references, manager }, outcome)
}

test('a check gets the routes with their prerendered pages', async () => {
  let seen: CheckedBuild | null = null
  await check(async (build) => {
    seen = build
    return { problems: [], failsBuild: true }
  })
  const documentOf = (name: string) => path.join('/x/.waymark/prerendered', name)
  expect(seen).toMatchObject({
    root: '/x',
    basePath: '',
    routes: [
      {
        pattern: '/',
        file: path.join('/x/app/page.tsx'),
        layouts: [{ pattern: '/', file: path.join('/x/app/layout.tsx') }],
        screens: [],
        pages: [{ pathname: '/', status: 200, document: documentOf('index.html') }],
        onlyPathnames: ['/'],
      },
      {
        pattern: '/posts/[slug]',
        pages: [
          { pathname: '/posts/a', status: 404, document: documentOf('posts/a.html') },
          { pathname: '/posts/b', status: 200, document: null },
        ],
        onlyPathnames: null,
      },
    ],
    actions: [
      {
        id: 'k1#save',
        name: 'save',
        file: '/x/save.ts',
        routeFiles: [path.join('/x/app/page.tsx')],
      },
    ],
    clientModules: [{ id: 'c1', file: '/x/app/form.tsx' }],
  })
  const { patternOf, importsOf } = seen as unknown as CheckedBuild
  expect(importsOf('/x/app/form.tsx')).toEqual(['/x/save.ts'])
  expect(['/posts/c', '/nothing'].map(patternOf)).toEqual(['/posts/[slug]', null])
})

test('problems are listed by package', async () => {
  const texts = await check(
    async () => ({ problems: ['a.ts:1: one.', 'b.ts: two.'], failsBuild: false }),
    async () => ({ problems: ['c.ts: three.'], failsBuild: false }),
  )
  expect(texts).toEqual([
    'package-0 found 2 problems:\n  a.ts:1: one.\n  b.ts: two.',
    'package-1 found a problem:\n  c.ts: three.',
  ])
})

test('a check can stop the build', async () => {
  const checking = check(async () => ({ problems: ['a.ts:1: one.'], failsBuild: true }))
  await expect(checking).rejects.toThrow(
    'The build stopped because of a check. package-0 found a problem:\n  a.ts:1: one.',
  )
})
