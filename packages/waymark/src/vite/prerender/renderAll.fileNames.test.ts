import { expect, test } from 'vitest'
import { createFileNames } from './renderAll.ts'

test.each([
  ['/', 'index'],
  ['/about', 'about'],
  ['/blog/first-post', 'blog/first-post'],
  ['/caf%C3%A9', 'caf_C3_A9'],
  ['/a:b/c*', 'a_b/c_'],
  ['/.well-known/x', '_well-known/x'],
  ['/x..', 'x_'],
  ['/aux', '_aux'],
  ['/docs/CON.txt/nul', 'docs/_CON.txt/_nul'],
  ['/console', 'console'],
])('%s is written to %s', (pathname, name) => {
  expect(createFileNames()(pathname)).toBe(name)
})

test('two pathnames never share a file, on any file system', () => {
  const nameOf = createFileNames()
  const names = ['/', '/index', '/About', '/about', '/a%20b', '/a_20b'].map(nameOf)
  expect(names).toEqual(['index', 'index~2', 'About', 'about~2', 'a_20b', 'a_20b~2'])
})

test('long pathnames are shortened', () => {
  const nameOf = createFileNames()
  const long = `/${'x'.repeat(400)}`
  expect(nameOf(long)).toHaveLength(180)
  expect(nameOf(`${long}y`)).toHaveLength(182)
})
