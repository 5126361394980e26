import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashAssets } from './serverBuild.ts'

test('only scripts and stylesheets are hashed, by URL', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-integrity-'))
  const assets = join(folder, '_waymark/assets')
  mkdirSync(assets, { recursive: true })
  for (const name of ['a.js', 'b.css', 'c.png', 'a.js.map']) writeFileSync(join(assets, name), name)
  const hash = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
  expect(await hashAssets(folder, '/base/')).toEqual({
    '/base/_waymark/assets/a.js': hash('a.js'),
    '/base/_waymark/assets/b.css': hash('b.css'),
  })
})

test('a build without assets has no hashes', async () => {
  expect(await hashAssets(join(tmpdir(), 'waymark-nowhere'), '/')).toEqual({})
})
