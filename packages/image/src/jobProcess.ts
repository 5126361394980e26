import { type ChildProcess, spawn } from 'node:child_process'
import { DecodingTimeoutError, RemoteImageError } from './remoteSource.ts'

export type JobResult = { readonly content: Uint8Array } | { readonly error: string }

export type JobProcessOptions = {
  /**
   * Source code of a module that receives jobs as messages, and sends a `JobResult` for each job.
   */
  readonly program: string
  /**
   * Returns the URL of the module that the program imports. The URL is the program's only argument.
   * @throws RemoteImageError if the package isn't installed
   */
  readonly findModule: () => string
  readonly withinMs: number
  /** Start of the error messages, such as "The image can't be decoded". */
  readonly problem: string
}

/**
 * Creates a runner that processes one job at a time in a child process. The process ends when it
 * has had no job for a while.
 */
export function createJobProcess<Job extends object>(options: JobProcessOptions) {
  const { program, findModule, withinMs, problem } = options
  let child: ChildProcess | null = null
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  function open(): ChildProcess {
    clearTimeout(idle)
    if (child?.connected) return child
    const args = ['--input-type=module', '--eval', program, findModule()]
    const opened = spawn(process.execPath, args, {
      // Use an empty environment to hide the server's secrets. Keep only `SystemRoot`, because
      // Windows can't start a process without it.
      env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    // Ignore the error, because if the process can't be started, sending the job also fails and
    // reports the error.
    opened.on('error', () => {})
    opened.unref()
    opened.channel?.unref()
    child = opened
    return opened
  }

  function close(): void {
    child?.kill('SIGKILL')
    child = null
  }

  return {
    /** @throws RemoteImageError */
    run(job: Job): Promise<Uint8Array> {
      const running = last.then(() => runJob(job, open(), { withinMs, problem, onTimeout: close }))
      last = running.then(
        () => {},
        () => {},
      )
      last.then(() => {
        clearTimeout(idle)
        idle = setTimeout(close, idleMs)
        idle.unref()
      })
      return running
    },
    close,
    /** Process id; `null` if no process runs. */
    pid: () => child?.pid ?? null,
  }
}

const idleMs = 30_000

type RunOptions = Pick<JobProcessOptions, 'withinMs' | 'problem'> & {
  readonly onTimeout: () => void
}

function runJob(
  job: object,
  worker: ChildProcess,
  { withinMs, problem, onTimeout }: RunOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('exit', onExit)
    }
    const fail = (why: string) => {
      end()
      reject(new RemoteImageError(502, `${problem}: ${why}`))
    }
    const onMessage = (result: JobResult) => {
      if ('error' in result) return fail(result.error)
      end()
      resolve(result.content)
    }
    const onExit = () => fail('the process ended unexpectedly')
    const timer = setTimeout(() => {
      onTimeout()
      end()
      reject(new DecodingTimeoutError(withinMs, problem))
    }, withinMs)
    worker.on('message', onMessage).on('exit', onExit)
    worker.send(job, (error) => error && fail(error.message))
  })
}
