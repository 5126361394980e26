import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isReservedPath } from './reservedPaths.ts'

const packages = join(import.meta.dirname, '../../..')

/**
 * Reserved paths that a package's sources mention: `/_waymark/errors`, or
 * `${internalPrefix}errors`.
 */
function pathsIn(name: string): string[] {
  const folder = join(packages, name, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|testing\//.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return [...text.matchAll(/(['"`])(?:\/_waymark\/|\$\{internalPrefix\})([\w./-]+)\1/g)]
    })
    .map(([, , path]) => `/_waymark/${path}`)
}

// Endpoints that packages add: the service worker of @waymark/offline and the doctor of
// @waymark/operations.
const ofPackages = ['/_waymark/offline.js', '/_waymark/doctor']

test.each(['waymark', 'operations', 'devtools'])(
  'every path used by the package %s is reserved',
  (name) => {
    const missing = pathsIn(name).filter(
      (path) => !isReservedPath(path) && !ofPackages.includes(path),
    )
    const ofLive = name === 'devtools' ? ['/_waymark/live'] : []
    expect(missing.filter((path) => !isReservedPath(`${path}/`))).toEqual(ofLive)
  },
)

test("a path isn't reserved because it starts with the name of a reserved path", () => {
  expect(isReservedPath('/_waymark/errors')).toBe(true)
  expect(isReservedPath('/_waymark/errors-by-user')).toBe(false)
  expect(isReservedPath('/_waymark/assets/index.js')).toBe(true)
})
