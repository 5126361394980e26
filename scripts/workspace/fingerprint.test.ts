import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStamp, fingerprint } from './fingerprint.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-fingerprint-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/a.ts'), 'a')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = () => fingerprint(folder, [join(folder, 'src'), join(folder, 'lock.json')])

describe('a fingerprint', () => {
  test('stays the same while names and contents stay the same', () => {
    const before = read()
    writeFileSync(join(folder, 'src/a.ts'), 'a')
    expect(read()).toBe(before)
  })

  test.each([
    ['a changed file', 'src/a.ts', 'b'],
    ['a new file', 'src/b.ts', ''],
    ['a file that was missing', 'lock.json', ''],
  ])('changes with %s', (_, name, content) => {
    const before = read()
    writeFileSync(join(folder, name), content)
    expect(read()).not.toBe(before)
  })

  test('ignores the output of builds and installs', () => {
    const before = read()
    mkdirSync(join(folder, 'src/dist'))
    writeFileSync(join(folder, 'src/dist/a.js'), 'a')
    writeFileSync(join(folder, 'src/waymark-routes.d.ts'), 'a')
    expect(read()).toBe(before)
  })
})

test('a stamp matches only the value that was written last', () => {
  const stamp = createStamp(join(folder, 'stamps/build'))
  expect(stamp.matches('1')).toBe(false)
  stamp.write('1')
  expect(stamp.matches('1')).toBe(true)
  expect(stamp.matches('2')).toBe(false)
})
