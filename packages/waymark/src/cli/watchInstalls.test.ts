import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchInstalls } from './watchInstalls.ts'

function workspace() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waymark-installs-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules'))
  const write = (file: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), String(Math.random()))
  }
  return { root: join(folder, 'packages/app'), write }
}

test.each([
  ['npm', 'packages/app/node_modules/.package-lock.json'],
  ['pnpm', 'packages/app/node_modules/.modules.yaml'],
  ['npm in a workspace', 'node_modules/.package-lock.json'],
])('an install by %s is noticed', async (_, file) => {
  const { root, write } = workspace()
  const onInstall = vi.fn()
  onTestFinished(watchInstalls(root, onInstall, 20))
  // Write again until the change is noticed, because the first write may come before the watcher has
  // read the state of the file.
  const install = () =>
    vi.waitFor(
      () => {
        write(file)
        expect(onInstall).toHaveBeenCalled()
      },
      { timeout: 10_000, interval: 100 },
    )
  await install()
  onInstall.mockClear()
  await install()
})
