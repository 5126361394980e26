import { expect, test } from 'vitest'
import { buildRouteTree } from '../../routing/testing/buildRouteTree.ts'
import { clientOptions, routesModule, stylesModule, stylesPrefix } from './routesPlugin.ts'
import { isRouteFile } from './scanRoutes.ts'

const tree = buildRouteTree(['layout.tsx', 'page.tsx', 'it\'s "quoted"/page.tsx'])

test('the routes module consists of imports and one literal', () => {
  const text = routesModule(tree, { appDir: '/my app', isDev: false })
  expect(text).toContain(`export const tree = {"id":"",`)
  expect(text).toContain(`  "page.tsx": () => import("/my app/page.tsx"),`)
  expect(text).toContain(`"it's \\"quoted\\"/page.tsx": () => import(`)
  expect(text).toContain('export const devStyles = {\n}')
})

test('in the dev server, each file has a module with its styles', () => {
  const text = routesModule(tree, { appDir: '/app', isDev: true })
  const id = `${stylesPrefix}/app/page.tsx`
  expect(text).toContain(`  "page.tsx": () => import(${JSON.stringify(id)}),`)
  expect(stylesModule(id)).toBe(
    'export const styles = import.meta.viteRsc.loadCss("/app/page.tsx")\n',
  )
})

test.each([
  ['/app/page.tsx', true],
  ['/app/a/[b]/layout.js', true],
  ['/app/a/not-found.mdx', true],
  ['/app/a/sitemap.ts', true],
  ['/app/sitemap.tsx', false],
  ['/app/a/mypage.tsx', false],
  ['/app/a/page.css', false],
  ['/other/page.tsx', false],
])('%s is a route file: %s', (id, expected) => {
  expect(isRouteFile('/app', id)).toBe(expected)
})

test.each([
  ["'use client'\nexport const dynamic = 'force-dynamic'\nexport const revalidate = 60\n", 2],
  ['// a page\n/* of\n ours */\n"use client"\nexport const runtime = \'edge\';\n', 1],
  ["export const dynamic = 'force-dynamic'\nconst text = 'use client'\n", 0],
  ["'use client'\nexport default function Page() {}\n", 0],
])("%j has %d options that the server can't read", (code, count) => {
  const warnings = clientOptions('app/a/page.tsx', code)
  expect(warnings).toHaveLength(count)
  for (const { message } of warnings)
    expect(message).toMatch(/^app\/a\/page\.tsx exports \w+ = .+, which/)
})
