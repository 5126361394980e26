import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.ts'

let file = ''
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'waymark-lock-')), 'a.lock')
})
afterEach(() => rmSync(join(file, '..'), { recursive: true, force: true }))

test('a lock admits one process at a time', async () => {
  let inside = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++inside)
    await sleep(10)
    inside -= 1
  }
  await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)])
  expect(most).toBe(1)
})

test('a lock is released if the work fails', async () => {
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(file, async () => 'in')).toBe('in')
})

test('a lock of a process that has ended can be taken', async () => {
  // Use a process id that can't exist: Linux has none above 4194304.
  writeFileSync(file, '4194305')
  expect(await withLock(file, async () => 'in')).toBe('in')
})
