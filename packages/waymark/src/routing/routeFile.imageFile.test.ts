import { describe, expect, test } from 'vitest'
import { listRoutes } from './routeEntries.ts'
import { checkImageFile, type ImageFile, imageFileName, imageFileOf } from './routeFile.ts'
import { checkRouteFiles } from './routeTree.ts'
import { buildRouteTree } from './testing/buildRouteTree.ts'

describe('a file name', () => {
  test.each([
    ['favicon.ico', 'favicon', 'image/x-icon'],
    ['shop/icon2.svg', 'icon', 'image/svg+xml'],
    ['apple-icon.jpg', 'apple-icon', 'image/jpeg'],
    ['(a)/opengraph-image.gif', 'opengraph-image', 'image/gif'],
    ['twitter-image.tsx', 'twitter-image', null],
    ['icon1.js', 'icon', null],
  ])('%s is an image', (path, kind, type) => {
    expect(imageFileOf(path)).toMatchObject({ kind, type })
  })

  test.each([
    'page.tsx',
    'my-icon.png',
    'icon12.png',
    'favicon.ts',
    'favicon1.ico',
    'icon.test.ts',
    'opengraph-image.alt.txt',
  ])("%s isn't an image file", (path) => {
    expect(imageFileOf(path)).toBeNull()
  })

  test.each([
    ['icon.webp', 'files must be ico, jpg, jpeg, png, svg'],
    ['apple-icon.svg', 'files must be jpg, jpeg, png'],
    ['opengraph-image.avif', 'files must be jpg, jpeg, png, gif'],
    ['favicon.png', 'files must be ico'],
  ])('%s is refused', (path, message) => {
    expect(() => checkImageFile(path, imageFileOf(path) as ImageFile)).toThrow(message)
    expect(checkRouteFiles(['layout.tsx', path]).errors.map(({ code }) => code)).toContain(
      'IMAGE_FILE',
    )
  })
})

test('files belong to their folder, and only modules and the favicon have routes', () => {
  const tree = buildRouteTree([
    'icon2.png',
    'icon1.png',
    'favicon.ico',
    'a/icon.tsx',
    '_b/icon.png',
  ])
  expect(tree.images).toEqual(['favicon.ico', 'icon1.png', 'icon2.png'])
  expect(tree.children.map(({ id, images }) => [id, images])).toEqual([
    ['a', ['a/icon.tsx']],
    ['favicon.ico', undefined],
  ])
  expect(listRoutes(tree).map(({ pattern, file }) => [pattern, file])).toEqual([
    ['/a/icon/[__file]', 'a/icon.tsx'],
    ['/favicon.ico', 'favicon.ico'],
  ])
})

test('modules in two groups have different URLs', () => {
  const tree = buildRouteTree(['(a)/icon.tsx', '(b)/icon.tsx', 'icon.tsx'])
  expect(listRoutes(tree).map(({ pattern }) => pattern)).toEqual([
    '/icon/[__file]',
    '/icon-a/[__file]',
    '/icon-b/[__file]',
  ])
})

test('the extension of an image matches its type', () => {
  expect(imageFileName('image', 'image/png')).toBe('image.png')
  expect(imageFileName('0', 'image/jpeg')).toBe('0.jpg')
})
