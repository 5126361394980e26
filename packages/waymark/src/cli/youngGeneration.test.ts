import { expect, test } from 'vitest'
import { limitYoungGeneration, type Startable } from './youngGeneration.ts'

const megabyte = 2 ** 20

/** How the program is started again on a machine whose heap may have 4 GB; `null` if it goes on. */
function startedAgain(differing: Partial<Startable>, heapBytes = 4288 * megabyte) {
  let started: unknown = null
  const execve = (...given: unknown[]) => {
    started = given
  }
  const runtime = {
    argv: ['node', '/app/server.js', '--port', '80'],
    env: {},
    execArgv: [],
    execPath: process.execPath,
    versions: { node: '24.21.0' },
    execve: execve as unknown as NonNullable<Startable['execve']>,
    ...differing,
  }
  limitYoungGeneration(runtime, heapBytes)
  return started
}

test('the program is started again with its arguments and environment', () => {
  const env = { PORT: '80' }
  const args = [process.execPath, '--max-semi-space-size=16', '/app/server.js', '--port', '80']
  expect(startedAgain({ env })).toEqual([process.execPath, args, env])
  expect(startedAgain({ env, versions: { node: '26.0.0' } })).not.toBeNull()
})

test.each([
  ['the young generation is as small anyway', { versions: { node: '22.23.3' } }],
  ['it has been started again', { execArgv: ['--max-semi-space-size=16'] }],
  ['options are passed to Node', { execArgv: ['--import', './trace.mjs'] }],
  ['the environment has options for Node', { env: { NODE_OPTIONS: '--max-semi-space-size=64' } }],
  ['another process listens to it', { channel: {} }],
  ['Node has no such call', { execve: undefined }],
  ['Node’s file is gone, which would end the process', { execPath: '/nowhere/node' }],
])('it goes on where %s', (_, differing) => {
  expect(startedAgain(differing as Partial<Startable>)).toBeNull()
})

test('it goes on on a small machine, where V8 takes less than that', () => {
  expect(startedAgain({}, 1072 * megabyte)).toBeNull()
})

test('it goes on where the system can’t do it', () => {
  const execve = () => {
    throw new Error('process.execve is unavailable')
  }
  expect(startedAgain({ execve })).toBeNull()
})
