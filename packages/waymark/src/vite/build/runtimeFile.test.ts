import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { importBuiltPackages } from '../../node/runtimePackages.ts'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { describeAppBuild } from './appBuild.ts'
import { writeRuntimePackages } from './runtimeFile.ts'

function emptyBuild() {
  const root = temporaryFolder()
  const manifest = {
    buildId: 'a',
    routes: [],
    serverFeatures: [],
    externals: [],
    mode: 'production',
  }
  const build = describeAppBuild({
    root,
    buildDir: root,
    basePath: '',
    trailingSlash: false,
    defaultHeaders: [],
    manifest,
    usedFeatures: [],
  })
  return { root, build, file: path.join(root, 'runtime.js') }
}

test('a build contains the packages, and runs only the code of those that a server needs', async () => {
  const { root, build, file } = emptyBuild()
  const write = (name: string, code: string) => {
    writeFileSync(path.join(root, name), code)
    return pathToFileURL(path.join(root, name))
  }
  write('part.mjs', 'export const kind = "blue"\n')
  const blue = write('blue.mjs', 'export { kind } from "./part.mjs"\n')
  const red = write('red.mjs', 'throw new Error("red ran")\n')
  await writeRuntimePackages(
    [
      { name: 'blue', stores: { BLUE_URL: blue } },
      { name: 'red', operations: red },
    ],
    build,
  )
  for (const each of ['blue.mjs', 'part.mjs', 'red.mjs']) write(each, 'syntax error')
  const { stores, operations, isBuilt } = await importBuiltPackages(root)
  expect(await stores.BLUE_URL?.()).toMatchObject({ kind: 'blue' })
  await expect(operations?.()).rejects.toThrow('red ran')
  expect(isBuilt).toBe(true)
  expect(existsSync(file)).toBe(true)
  expect(build.stores).toBe(file)
})

test('without such packages, no file is written, and a stale one is removed', async () => {
  const { root, build, file } = emptyBuild()
  writeFileSync(file, 'export const stale = true')
  await writeRuntimePackages([{ name: 'other' }], build)
  expect(existsSync(file)).toBe(false)
  expect(build.stores).toBe(null)
  expect(await importBuiltPackages(root)).toEqual({ stores: {}, operations: null, isBuilt: true })
})
