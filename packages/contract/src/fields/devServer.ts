import { fork } from 'node:child_process'
import { endProcess, type ServedBuild } from '@waymark/testing/build'
import { readsVariable } from '../reads/readsPlugin.ts'

const startWithinMs = 60_000

/**
 * Starts the app's dev server in a process of its own, on a free port.
 * @throws Error with the output of the server if it doesn't start
 */
export async function startDevServer(
  root: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServedBuild> {
  const [, program = ''] = process.argv
  const child = fork(program, ['dev', root, '--port', '0', '--host', 'localhost'], {
    cwd: root,
    env: { ...process.env, ...env, [readsVariable]: '1', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const listening = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it took too long')), startWithinMs)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output = (output + chunk).slice(-100_000)
        const [, origin] = /dev server: (http:\/\/[^/\s]+)/.exec(output) ?? []
        if (origin !== undefined) {
          clearTimeout(timer)
          resolve(origin)
        }
      })
    }
    child.on('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`its process ended with exit code ${code}`))
    })
  })
  const stop = () => endProcess(child)
  const origin = await listening.catch(async (error: Error) => {
    await stop()
    throw new Error(`The dev server didn't start: ${error.message}\n${output}`)
  })
  return {
    origin,
    endpoints: [],
    thrown: [],
    cached: [],
    async sync() {},
    async advance() {},
    proxied: async () => [],
    log: () => output,
    stop,
  }
}
