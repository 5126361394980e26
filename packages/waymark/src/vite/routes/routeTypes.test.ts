import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { routeTypes, writeRouteTypes } from './routeTypes.ts'
import { scanRoutes } from './scanRoutes.ts'

const typesOf = (files: readonly string[]) =>
  routeTypes(
    buildRouteTree(['layout.tsx', ...files]),
    'app',
    (file) => file === 'search/page.tsx',
  ).replace(
    // Shorten `${string}`, so that the expectations are readable and linters accept them.
    /\$\{string\}/g,
    '*',
  )

test.each([
  ['page.tsx', "'/': { params: {}; href: `/`; page: object }"],
  [
    'blog/[slug]/page.tsx',
    "'/blog/[slug]': { params: { slug: string }; href: `/blog/*`; page: object }",
  ],
  [
    'a/[...rest]/page.tsx',
    "'/a/[...rest]': { params: { rest: string[] }; href: `/a/*`; page: object }",
  ],
  [
    '[[...all]]/page.tsx',
    "'/[[...all]]': { params: { all?: string[] }; href: `/` | `/*`; page: object }",
  ],
  ['(shop)/cart/page.tsx', "'/cart': { params: {}; href: `/cart`; page: object }"],
  ["it's $5/page.tsx", "'/it\\'s $5': { params: {}; href: `/it's%20\\$5`; page: object }"],
  ['[post-id]/page.tsx', "{ params: { 'post-id': string }; href: `/*`;"],
  ['search/page.tsx', "page: typeof import('./app/search/page') }"],
])('%s', (file, line) => {
  expect(typesOf([file])).toContain(line)
})

test("metadata files aren't routes that a page can link to", () => {
  const types = typesOf(['page.tsx', 'sitemap.ts', 'robots.ts', 'feed.xml/route.ts'])
  expect(types).toContain("'/feed.xml'")
  expect(types).not.toMatch(/sitemap|robots/)
})

test('layouts that share a URL are merged, with the slots of all', () => {
  const types = typesOf([
    '(a)/team/layout.tsx',
    '(a)/team/page.tsx',
    '(a)/team/@log/page.tsx',
    '(a)/team/@log/default.tsx',
    '(b)/team/more/page.tsx',
    '(b)/team/layout.tsx',
    '(b)/team/@side/more/page.tsx',
    '(b)/team/@side/default.tsx',
  ])
  expect(types).toContain("'/team': { params: {}; slots: 'log' | 'side' }")
  expect(types).toContain("'/': { params: {}; slots: never }")
})

test('the same folders produce the same text, regardless of their order', () => {
  const files = ['b/page.tsx', 'a/page.tsx', '(g)/c/layout.tsx', '(g)/c/page.tsx']
  expect(typesOf(files.toReversed())).toBe(typesOf(files))
})

function appWith(page: string): { root: string; appDir: string } {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-types-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const appDir = path.join(root, 'app')
  mkdirSync(appDir)
  writeFileSync(path.join(appDir, 'layout.tsx'), '')
  writeFileSync(path.join(appDir, 'page.tsx'), page)
  return { root, appDir }
}

test.each([
  ['export const searchParams: Schema = { page: 1 }\nexport default () => <p />', true],
  ['const searchParams = {}\nexport { searchParams }', true],
  ["export { schema as searchParams } from './schema'", true],
  ['export const { searchParams } = schemas', true],
  ['/*\nexport const searchParams = {}\n*/\nexport default () => <p />', false],
  ['export default ({ searchParams }: Props) => <p>{searchParams}</p>', false],
])('%s', async (page, hasSchema) => {
  const app = appWith(page)
  writeFileSync(path.join(app.root, 'tsconfig.json'), '{}')
  const file = await writeRouteTypes(app)
  expect(file).toBe(path.join(app.root, 'waymark-routes.d.ts'))
  const text = readFileSync(String(file), 'utf8')
  expect(text.includes("page: typeof import('./app/page')")).toBe(hasSchema)
})

test('an app without TypeScript gets no declarations', async () => {
  expect(await writeRouteTypes(appWith(''))).toBeNull()
})

test('a page that is deleted after the scan has no search params', async () => {
  const app = appWith('export const searchParams = {}')
  writeFileSync(path.join(app.root, 'tsconfig.json'), '{}')
  const file = await writeRouteTypes(app, async (appDir) => {
    const tree = await scanRoutes(appDir)
    rmSync(path.join(appDir, 'page.tsx'))
    return tree
  })
  expect(readFileSync(String(file), 'utf8')).toContain(
    "'/': { params: {}; href: `/`; page: object }",
  )
})
