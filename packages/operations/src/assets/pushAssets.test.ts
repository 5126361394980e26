import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../waymark/src/shared/testing/temporaryFolder.ts'
import { folderTarget, pushAssets } from './pushAssets.ts'

const files = { 'a-1.js': 'code', 'a-1.js.br': 'small', 'b-2.css': 'style' }
const names = Object.keys(files)
const build = () => ({ destination: '/srv', folder: temporaryFolder(files), names, isDry: false })

test('a folder gets missing files and their compressed versions, but no drafts', async () => {
  const folder = temporaryFolder({})
  const assets = join(folder, '_waymark/assets')
  mkdirSync(assets, { recursive: true })
  writeFileSync(join(assets, 'a-1.js'), 'co')
  writeFileSync(join(assets, 'of-others.js'), 'other')
  const { pushed, present } = await pushAssets(folderTarget(folder), build())
  expect([pushed.count, present.count]).toEqual([3, 0])
  expect(readFileSync(join(assets, 'a-1.js'), 'utf8')).toBe('code')
  expect(readdirSync(assets).sort()).toEqual([...names, 'of-others.js'].sort())
  expect((await pushAssets(folderTarget(folder), build())).present.count).toBe(3)
})

test('an error names a folder that cannot be written to', async () => {
  const folder = temporaryFolder({ file: '' })
  await expect(pushAssets(folderTarget(join(folder, 'file')), build())).rejects.toThrow(
    'ASSETS_PUSH',
  )
})
