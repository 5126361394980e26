import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { findClosedPaths } from './closedPaths.ts'

test('finds folders that others can not enter and files that they can not read', () => {
  const root = temporaryFolder({ 'app/client/a.js': '', 'app/client/b.js': '' })
  chmodSync(root, 0o755)
  const assets = join(root, 'app/client')
  expect(findClosedPaths(assets)).toEqual([])
  chmodSync(join(root, 'app'), 0o700)
  chmodSync(join(assets, 'a.js'), 0o640)
  expect(findClosedPaths(assets)).toEqual([
    { path: join(root, 'app'), isFolder: true },
    { path: join(assets, 'a.js'), isFolder: false },
  ])
})

test('a folder that does not exist does not count as closed', () => {
  const root = temporaryFolder()
  chmodSync(root, 0o755)
  expect(findClosedPaths(join(root, 'client/_waymark'))).toEqual([])
})
