import { accessSync, constants } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

/** Half of V8's memory for young objects, in MB; read at the start of a process. */
const flag = '--max-semi-space-size=16'

/** With less heap, V8 limits the young generation below the flag: 1 GB and 3 times 16 MB. */
const smallHeapBytes = 1072 * 2 ** 20

export type Startable = Pick<NodeJS.Process, 'argv' | 'env' | 'execArgv' | 'execPath'> & {
  readonly versions: { readonly node: string }
  /** Replaces this process and keeps its id; not on all systems. */
  readonly execve?: (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never
  readonly channel?: unknown
}

/**
 * Restarts this process with the young generation of Node 20 and 22: from Node 24 on it is up to
 * four times as large, and a server under load keeps all of it. Does nothing when Node has options
 * already, or the system can't replace a process.
 */
export function limitYoungGeneration(
  runtime: Startable = process,
  heapBytes = getHeapStatistics().heap_size_limit,
): void {
  const { argv, env, execArgv, execPath, execve, channel, versions } = runtime
  const [major] = versions.node.split('.')
  if (!execve || Number(major) < 24 || heapBytes <= smallHeapBytes) return
  // The new program would lose the parent's channel.
  if (execArgv.length > 0 || env.NODE_OPTIONS || channel) return
  try {
    // Node ends the process when the call fails.
    accessSync(execPath, constants.X_OK)
    execve.call(process, execPath, [execPath, flag, ...argv.slice(1)], env)
  } catch {
    // Windows can't replace a process.
  }
}
