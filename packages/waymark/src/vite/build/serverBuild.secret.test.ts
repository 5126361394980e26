import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildSecret, removeUnusedSecret } from './serverBuild.ts'

function buildFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a secret is created once, reported, and readable only for its owner', async () => {
  const folder = buildFolder()
  const onMade = vi.fn()
  const made = await buildSecret(folder, {}, onMade)
  expect(String(made).length).toBeGreaterThanOrEqual(32)
  expect(await buildSecret(folder, { WAYMARK_SECRET: ' ' }, onMade)).toBe(made)
  expect(onMade).toHaveBeenCalledOnce()
  const file = join(folder, 'secret')
  expect(readFileSync(file, 'utf8')).toBe(made)
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('no secret is created if WAYMARK_SECRET is set', async () => {
  const onMade = vi.fn()
  const env = { WAYMARK_SECRET: 'a secret of the tests, long enough' }
  expect(await buildSecret(buildFolder(), env, onMade)).toBeNull()
  expect(onMade).not.toHaveBeenCalled()
})

test('the secret of an earlier build is removed if the new build has none', async () => {
  const folder = buildFolder()
  const file = join(folder, 'secret')
  const secret = await buildSecret(folder, {})
  await removeUnusedSecret(folder, secret)
  expect(readFileSync(file, 'utf8')).toBe(secret)
  await removeUnusedSecret(folder, null)
  expect(existsSync(file)).toBe(false)
  await removeUnusedSecret(folder, null)
})
