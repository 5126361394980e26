import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerBuild } from '../../builds/buildManifest.ts'
import { isPrivateBuild, writeBuildModule } from './buildModule.ts'

const build: ServerBuild = {
  buildId: 'b1',
  stylesheets: {},
  scripts: {},
  closedRoutes: null,
  actions: {},
  clientFiles: null,
  secret: null,
  staticRoutes: [],
  partialRoutes: [],
}

test.each([
  ['with the secret is for its owner alone', 'a secret of the tests, long enough', 0o600],
  ['without a secret is for all', null, 0o644],
])('a build %s', async (_, secret, mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, '__waymark_build.js')
  // Leave an empty file, as an earlier build might.
  writeFileSync(file, '')
  chmodSync(file, secret ? 0o644 : 0o600)
  const umask = process.umask(0o022)
  await writeBuildModule(folder, { ...build, secret })
  process.umask(umask)
  expect(statSync(file).mode & 0o777).toBe(mode)
  expect(await isPrivateBuild(folder)).toBe(secret !== null)
})
