import { describe, expect, test } from 'vitest'
import { parseRouteFile, roles } from './routeFile.ts'

describe('a path in the app folder', () => {
  test.each(roles)('%s is a role', (role) => {
    expect(parseRouteFile(`${role}.tsx`)).toMatchObject({ role, folders: [], segments: [] })
  })

  test.each(['tsx', 'ts', 'jsx', 'js', 'mdx'])('.%s can be a page', (extension) => {
    expect(parseRouteFile(`page.${extension}`)?.role).toBe('page')
  })

  test('a route handler is not written in MDX', () => {
    expect(parseRouteFile('api/route.mdx')).toBeNull()
    expect(parseRouteFile('api/route.ts')?.role).toBe('route')
  })

  test.each([
    'page.test.tsx',
    'page.css',
    'page',
    'Page.tsx',
    'button.tsx',
    'page.d.ts',
    'pages.tsx',
    'blog/page.tsx.bak',
    'page.module.css',
    'layout.json',
  ])('%s takes no part', (path) => {
    expect(parseRouteFile(path)).toBeNull()
  })

  test.each([
    '_parts/page.tsx',
    'blog/_parts/deep/page.tsx',
    '_/page.tsx',
    // Names inside a private folder aren't checked.
    '_parts/[[broken/page.tsx',
  ])('%s is private', (path) => {
    expect(parseRouteFile(path)).toBeNull()
  })

  test("a file that isn't part of routing may be in a folder of any name", () => {
    expect(parseRouteFile('[broken/button.tsx')).toBeNull()
  })

  test('each folder is a segment', () => {
    expect(parseRouteFile('(shop)/products/[id]/page.tsx')).toEqual({
      path: '(shop)/products/[id]/page.tsx',
      folders: ['(shop)', 'products', '[id]'],
      segments: [
        { kind: 'group', name: 'shop' },
        { kind: 'static', name: 'products' },
        { kind: 'dynamic', param: 'id' },
      ],
      role: 'page',
    })
  })

  test('the message contains the path of the folder with the invalid name', () => {
    expect(() => parseRouteFile('blog/[/deep/page.tsx')).toThrow(/app\/blog\/\[ /)
  })
})
