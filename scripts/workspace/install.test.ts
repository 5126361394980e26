import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assertNodeVersion } from './install.mjs'
import { otherNodes } from './nodeVersions.mjs'
import { root } from './paths.mjs'

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s is new enough', (version) => {
  expect(() => assertNodeVersion(version)).not.toThrow()
})

test.each(['18.20.0', '20.18.3'])(
  'Node %s is refused, with its version in the message',
  (version) => {
    expect(() => assertNodeVersion(version)).toThrow(`This is Node ${version}`)
  },
)

test.each([
  ['20.20.2', [24, 26]],
  ['24.9.0', [26]],
])('on Node %s, the selection runs on %j', (version, majors) => {
  expect(otherNodes(version)).toEqual(majors)
})

type LockedPackage = {
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly resolved?: string
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const locked = Object.entries(lock.packages as Readonly<Record<string, LockedPackage>>)

// Check this, because `npm ci` refuses a lock file that lacks the packages of other platforms.
test('the lock file contains the packages of all platforms', () => {
  const isLocked = (path: string, name: string): boolean => {
    if (`${path ? `${path}/` : ''}node_modules/${name}` in lock.packages) return true
    return (
      path !== '' && isLocked(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
    )
  }
  const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  )
  expect(missing).toEqual([])
})

test('the lock file contains no address of a registry', () => {
  const hosts = locked.flatMap(([, { resolved = '' }]) => /^https?:\/\/[^/]+/.exec(resolved) ?? [])
  expect(hosts).toEqual([])
})
