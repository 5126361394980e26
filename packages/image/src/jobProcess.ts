import { type ChildProcess, spawn } from 'node:child_process'
import { DecodingTimeoutError, RemoteImageError } from './remoteSource.ts'

export type JobResult = { readonly content: Uint8Array } | { readonly error: string }

export type JobProcessOptions = {
  /** The text of a module that takes jobs as messages, and sends a `JobResult` for each. */
  readonly program: string
  /** The URL of what it imports, its only argument. @throws RemoteImageError where it is not installed */
  readonly findModule: () => string
  readonly withinMs: number
  /** Begins the message of an error: "The image can't be decoded". */
  readonly problem: string
}

/** Creates a runner of jobs: one at a time, in a process that ends after a time without jobs. */
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
      // No secret of the server is there to be read. Windows starts nothing without its root.
      env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    // A process that can't be started fails again when a job is sent to it, and is reported there.
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
    /** Of the process, if it runs. */
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
    const onExit = () => fail('its process has ended')
    const timer = setTimeout(() => {
      onTimeout()
      end()
      reject(new DecodingTimeoutError(withinMs, problem))
    }, withinMs)
    worker.on('message', onMessage).on('exit', onExit)
    worker.send(job, (error) => error && fail(error.message))
  })
}
