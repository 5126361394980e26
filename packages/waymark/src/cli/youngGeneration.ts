import { accessSync, constants } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

/** V8's flag for half of the memory that young objects have, in MB: it is read when a process starts. */
const flag = '--max-semi-space-size=16'

/** Below, V8 gives a young generation less than the flag would: a limit of 1 GB, and 3 times 16 MB. */
const smallHeapBytes = 1072 * 2 ** 20

/** Of `process`, what decides. */
export type Startable = Pick<NodeJS.Process, 'argv' | 'env' | 'execArgv' | 'execPath'> & {
  readonly versions: { readonly node: string }
  /** Takes the place of this process, with its id: where the system and Node have it. */
  readonly execve?: (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never
  readonly channel?: unknown
}

/**
 * Starts this program again, as the same process, with the young generation that Node 20 and 22 have: from
 * Node 24 on, it is up to four times as large, and a server under load keeps all of it. Whoever passes options
 * to Node decides alone. Returns when nothing is to be done, or the system can't do it.
 */
export function limitYoungGeneration(
  runtime: Startable = process,
  heapBytes = getHeapStatistics().heap_size_limit,
): void {
  const { argv, env, execArgv, execPath, execve, channel, versions } = runtime
  const [major] = versions.node.split('.')
  if (!execve || Number(major) < 24 || heapBytes <= smallHeapBytes) return
  // A channel to the process that started this one would be lost.
  if (execArgv.length > 0 || env.NODE_OPTIONS || channel) return
  try {
    // Node ends the process where the call fails.
    accessSync(execPath, constants.X_OK)
    execve.call(process, execPath, [execPath, flag, ...argv.slice(1)], env)
  } catch {
    // Windows has no such call: the server starts as it is.
  }
}
