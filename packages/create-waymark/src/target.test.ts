import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkPackageName, checkTarget, toPackageName } from './target.ts'
import { temporaryFolder } from './testing/temporaryFolder.ts'

test('a new folder can be used, also inside other new folders', () => {
  const cwd = temporaryFolder()
  expect(checkTarget('sites/shop/', cwd, [])).toEqual({
    kind: 'usable',
    folder: join(cwd, 'sites/shop'),
    name: 'shop',
  })
})

test('a folder that looks empty can be used', () => {
  const cwd = temporaryFolder({ 'shop/.git/HEAD': '', 'shop/.DS_Store': '' })
  expect(checkTarget('shop', cwd, [])).toMatchObject({ kind: 'usable', name: 'shop' })
})

test('a folder with files is refused, with the names of the files', () => {
  const cwd = temporaryFolder({ 'shop/a': '', 'shop/b': '', 'shop/c': '', 'shop/d/e': '' })
  expect(checkTarget('shop', cwd, [])).toEqual({
    kind: 'refused',
    message: 'shop is not empty: it contains a, b, c and 1 more.',
    hint: 'Choose another name, or empty the folder first.',
  })
})

test('a file is refused', () => {
  const cwd = temporaryFolder({ shop: '' })
  expect(checkTarget('shop', cwd, [])).toMatchObject({ message: 'shop is a file.' })
  expect(checkTarget('shop/inner', cwd, [])).toMatchObject({ kind: 'refused' })
})

test.skipIf(process.getuid?.() === 0)('a folder that can not be read is refused', () => {
  const cwd = temporaryFolder({ 'shop/a': '' })
  chmodSync(join(cwd, 'shop'), 0)
  expect(checkTarget('shop', cwd, [])).toMatchObject({ message: "shop can't be read." })
  chmodSync(join(cwd, 'shop'), 0o700)
})

test('the working folder can be used with any name', () => {
  const cwd = join(temporaryFolder({ 'My Shop/.git/HEAD': '' }), 'My Shop')
  expect(checkTarget('.', cwd, [])).toEqual({ kind: 'usable', folder: cwd, name: 'my-shop' })
})

test('the app gets another name if the working folder has the name of a dependency', () => {
  const cwd = join(temporaryFolder({ 'react/.git/HEAD': '' }), 'react')
  expect(checkTarget('./', cwd, ['react'])).toMatchObject({ kind: 'usable', name: 'react-app' })
})

test('the working folder is refused if it has files', () => {
  const cwd = temporaryFolder({ 'notes.txt': '' })
  expect(checkTarget('.', cwd, [])).toMatchObject({
    message: 'This folder is not empty: it contains notes.txt.',
  })
})

describe('a name that npm accepts', () => {
  test.each(['my-app', 'a', '0', 'shop2', 'a.b_c', 'x'.repeat(214)])('%s', (name) => {
    expect(checkPackageName(name)).toBeNull()
  })
})

describe('a name that npm refuses is refused with a suggestion', () => {
  test.each([
    ['My App', 'my-app'],
    ['.hidden', 'hidden'],
    ['_private', 'private'],
    ['-dash', 'dash'],
    ['café', 'cafe'],
    ['a!b', 'a-b'],
    ['日本', 'my-app'],
    ['', 'my-app'],
    ['node_modules', 'node_modules-app'],
    ['http', 'http-app'],
    ['react', 'react-app'],
  ])('%s', (name, better) => {
    expect(checkPackageName(name, ['react'])?.hint).toBe(`Try ${better}.`)
    expect(checkPackageName(better, ['react'])).toBeNull()
  })

  test('a name that is too long', () => {
    expect(checkPackageName('x'.repeat(215))?.message).toContain('215 characters')
  })
})

test.each([
  ['My Shop (2)', 'my-shop-2'],
  ['  Crème brûlée  ', 'creme-brulee'],
  ['..', 'my-app'],
  ['x'.repeat(300), 'x'.repeat(214)],
])('the package of a folder named %s is named %s', (folder, name) => {
  expect(toPackageName(folder)).toBe(name)
})
