import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { must } from '../workspace/run.mjs'
import { packRelease } from './packRelease.mjs'

test('a package is packed with the versions and the repository of the release', async () => {
  const staging = mkdtempSync(join(tmpdir(), 'waymark-release-test-'))
  onTestFinished(() => rmSync(staging, { recursive: true }))
  const release = {
    folders: ['create-waymark'],
    versions: { waymark: '9.1.0', 'create-waymark': '9.1.0' },
    changelog: '# Changelog\n',
    repository: 'owner/waymark',
  }
  const [packed] = await packRelease(release, staging)
  expect(packed).toMatchObject({ name: 'create-waymark', version: '9.1.0' })

  const readPacked = async (path: string) =>
    JSON.parse(await must('tar', ['-xOzf', packed?.tarball ?? '', `package/${path}`], staging))
  expect(await readPacked('package.json')).toMatchObject({
    version: '9.1.0',
    repository: {
      type: 'git',
      url: 'git+https://github.com/owner/waymark.git',
      directory: 'packages/create-waymark',
    },
  })
  const template = await readPacked('templates/minimal/package.json')
  expect(template.dependencies.waymark).toBe('^9.1.0')
})
