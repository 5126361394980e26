import { describe, expect, test } from 'vitest'
import { checkPackageName, toPackageName } from './packageName.ts'

describe('a name that npm accepts', () => {
  test.each(['my-app', 'a', '0', 'shop2', 'a.b_c', 'x'.repeat(214)])('%s', (name) => {
    expect(checkPackageName(name)).toBeNull()
  })
})

describe('a name that npm refuses is refused, with one to try', () => {
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

  test('one that is too long', () => {
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
