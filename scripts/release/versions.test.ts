import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../workspace/paths.mjs'
import { versionsOfRelease, withVersions, workspaceFolders } from './versions.mjs'

const manifests = [
  { name: 'waymark', version: '0.1.0' },
  { name: '@waymark/live', version: '0.1.0' },
  { name: '@waymark/next', version: '16.4.6' },
]

test('all packages get the version of the release, and @waymark/next gets its next patch version', () => {
  expect(versionsOfRelease(manifests, '0.2.0')).toEqual({
    waymark: '0.2.0',
    '@waymark/live': '0.2.0',
    '@waymark/next': '16.4.7',
  })
})

test('the first release changes no version', () => {
  expect(versionsOfRelease(manifests, '0.1.0')).toMatchObject({ '@waymark/next': '16.4.6' })
})

test('a manifest gets its version and the ranges of our packages', () => {
  const manifest = {
    name: '@waymark/live',
    version: '0.1.0',
    dependencies: { vite: '^8.3.8' },
    peerDependencies: { waymark: '0.1.0', react: '^19.2.0' },
    devDependencies: { waymark: '^0.1.0', '@waymark/next': '*' },
  }
  expect(withVersions(manifest, versionsOfRelease(manifests, '0.2.0'))).toEqual({
    name: '@waymark/live',
    version: '0.2.0',
    dependencies: { vite: '^8.3.8' },
    peerDependencies: { waymark: '0.2.0', react: '^19.2.0' },
    devDependencies: { waymark: '^0.2.0', '@waymark/next': '*' },
  })
})

test('a template has no version, but gets the ranges', () => {
  const template = { private: true, dependencies: { waymark: '^0.1.0' } }
  expect(withVersions(template, { waymark: '0.2.0' })).toEqual({
    private: true,
    dependencies: { waymark: '^0.2.0' },
  })
})

test("the workspaces are the folders in the lock file that don't come from a package", () => {
  const packages = { '': {}, site: {}, 'packages/live': {}, 'site/node_modules/a': {} }
  expect(workspaceFolders({ packages })).toEqual(['site', 'packages/live'])
})

test('the site is a workspace, because it depends on our packages by version', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  expect(workspaceFolders(lock)).toEqual(expect.arrayContaining(['site', 'packages/waymark']))
})
