import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildEach } from './build.mjs'
import { createStamp } from './fingerprint.mjs'

/** Creates three packages, of which `second` has a type error. */
function threePackages({ hasOutput = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const packages = ['first', 'second', 'third'].map((name) => ({
    name,
    dist: join(folder, name),
    stamp: createStamp(join(folder, 'stamps', name)),
  }))
  const built: string[] = []
  const build = async (name: string) => {
    built.push(name)
    if (name !== 'second') return { exitCode: 0, output: '' }
    if (hasOutput) mkdirSync(join(folder, name))
    return { exitCode: 2, output: 'second.ts(1,1): error TS2322' }
  }
  const stamped = () => packages.filter(({ stamp }) => stamp.matches('v')).map(({ name }) => name)
  return { packages, built, build, stamped, folder }
}

test('packages after one with type errors are built if errors are only reported', async () => {
  const { packages, built, build, stamped, folder } = threePackages()
  await buildEach(packages, { value: 'v', typeErrors: 'report', build })
  expect(built).toEqual(['first', 'second', 'third'])
  expect(stamped()).toEqual(['first', 'third'])
  expect(existsSync(join(folder, 'second'))).toBe(true)
})

test("type errors end a build with typeErrors: 'throw'", async () => {
  const { packages, built, build } = threePackages()
  const building = buildEach(packages, { value: 'v', typeErrors: 'throw', build })
  await expect(building).rejects.toThrow('Building packages/second failed.')
  expect(built).toEqual(['first', 'second'])
})

test('the build fails if a package has no output', async () => {
  const { packages, build } = threePackages({ hasOutput: false })
  const building = buildEach(packages, { value: 'v', typeErrors: 'report', build })
  await expect(building).rejects.toThrow('Building packages/second made no output.')
})
