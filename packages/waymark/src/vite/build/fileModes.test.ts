import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../shared/testing/temporaryFolder.ts'
import { makeReadable, openToWebServers } from './fileModes.ts'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

/** Creates a build with the modes that umask 077 causes, in a folder created by the journal. */
function createPrivateBuild(): string {
  const folder = temporaryFolder({
    'client/_waymark/assets/a.js': '',
    'client/_waymark/assets/a.js.br': '',
    'client/guarded.pdf': '',
    'rsc/index.js': '',
    'journal/2026-01-21-7.jsonl': '',
    secret: '',
  })
  for (const name of ['', 'client', 'client/_waymark', 'client/_waymark/assets', 'rsc', 'journal'])
    chmodSync(join(folder, name), 0o700)
  for (const name of [
    'client/_waymark/assets/a.js',
    'client/_waymark/assets/a.js.br',
    'client/guarded.pdf',
    'rsc/index.js',
    'journal/2026-01-21-7.jsonl',
    'secret',
  ])
    chmodSync(join(folder, name), 0o600)
  return folder
}

test('a web server of another user can enter a build but read only its assets', async () => {
  const folder = createPrivateBuild()
  await openToWebServers(folder)
  for (const name of ['', 'client', 'client/_waymark'])
    expect(modeOf(join(folder, name))).toBe('711')
  expect(modeOf(join(folder, 'client/_waymark/assets'))).toBe('755')
  expect(modeOf(join(folder, 'client/_waymark/assets/a.js'))).toBe('644')
  expect(modeOf(join(folder, 'client/_waymark/assets/a.js.br'))).toBe('644')
  for (const name of ['rsc', 'journal']) expect(modeOf(join(folder, name))).toBe('700')
  for (const name of ['rsc/index.js', 'secret', 'client/guarded.pdf'])
    expect(modeOf(join(folder, name))).toBe('600')
})

test('more permissive modes stay unchanged', async () => {
  const folder = createPrivateBuild()
  chmodSync(join(folder, 'client'), 0o775)
  chmodSync(join(folder, 'client/_waymark/assets/a.js'), 0o664)
  await makeReadable(join(folder, 'client'))
  expect(modeOf(join(folder, 'client'))).toBe('775')
  expect(modeOf(join(folder, 'client/_waymark/assets/a.js'))).toBe('664')
})
