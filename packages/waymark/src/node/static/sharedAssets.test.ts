import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { send, serveFiles } from '../testing/files.ts'
import { createFolder } from '../testing/servers.ts'
import { shareAssets } from './sharedAssets.ts'

const assets = '_waymark/assets'
const buildWith = (name: string) =>
  createFolder({ [`${assets}/${name}`]: name, [`${assets}/${name}.br`]: 'small', 'robots.txt': '' })

it('lets a server answer for assets of a build that came after it', async () => {
  const shared = createFolder({})
  const [first, second] = [buildWith('first-1.js'), buildWith('second-2.js')]
  shareAssets(first, shared)
  const { port } = await serveFiles({ dirs: [first], sharedAssets: shared })
  expect((await send(port, `/${assets}/second-2.js`)).status).toBe(404)
  shareAssets(second, shared)
  const late = await send(port, `/${assets}/second-2.js?retry=1`)
  expect([late.status, late.body]).toEqual([200, 'second-2.js'])
  expect(late.headers.get('cache-control')).toContain('immutable')
  const coded = await send(port, `/${assets}/second-2.js`, ['accept-encoding: br'])
  expect([coded.headers.get('content-encoding'), coded.body]).toEqual(['br', 'small'])
})

it.each([
  '../secret.js',
  '%2e%2e/secret.js',
  '..%2fsecret.js',
  '.hidden.js',
  'x.js.12.draft',
  'x.js.br',
  'folder/x.js',
  'x.js%00.js',
])('looks for no file by the name %s', async (name) => {
  const shared = createFolder({
    'secret.js': 'secret',
    '_waymark/secret.js': 'secret',
    [`${assets}/.hidden.js`]: 'secret',
    [`${assets}/x.js.12.draft`]: 'secret',
    [`${assets}/x.js.br`]: 'secret',
    [`${assets}/folder/x.js`]: 'secret',
  })
  const { port } = await serveFiles({ dirs: [], sharedAssets: shared })
  const answer = await send(port, `/${assets}/${name}`)
  expect(answer.status).not.toBe(200)
  expect(answer.body).not.toContain('secret')
})

it('leaves what is there, with its time renewed, and no drafts', () => {
  const shared = createFolder({ [`${assets}/a-1.js`]: 'there before' })
  const now = new Date(1_800_000_000_000)
  shareAssets(buildWith('a-1.js'), shared, now)
  expect(readFileSync(join(shared, assets, 'a-1.js'), 'utf8')).toBe('there before')
  expect(statSync(join(shared, assets, 'a-1.js')).mtimeMs).toBe(now.getTime())
  expect(readdirSync(join(shared, assets)).sort()).toEqual(['a-1.js', 'a-1.js.br'])
})

it('names the folder that it can’t write to', () => {
  const folder = createFolder({})
  writeFileSync(join(folder, 'file'), '')
  expect(() => shareAssets(buildWith('a.js'), join(folder, 'file'))).toThrow('SHARED_ASSETS')
})
