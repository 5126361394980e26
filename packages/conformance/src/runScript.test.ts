import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runScript } from './runScript.ts'

const run = (command: string, timeoutMs = 20_000) =>
  runScript(command, { cwd: tmpdir(), timeoutMs })

test('a script returns what it printed', async () => {
  expect(await run('echo a; echo http://localhost:1')).toBe('a\nhttp://localhost:1\n')
})

test('a script may leave a server behind that keeps the output open', async () => {
  const startedAtMs = performance.now()
  expect(await run('sleep 5 & echo started')).toBe('started\n')
  expect(performance.now() - startedAtMs).toBeLessThan(4_000)
})

test('a script that fails or takes too long is an error', async () => {
  await expect(run('exit 3')).rejects.toThrow('The script “exit 3” ended with 3.')
  await expect(run('exec sleep 20', 200)).rejects.toThrow('was stopped after 0.2 s.')
})
