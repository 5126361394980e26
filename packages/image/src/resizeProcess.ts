import { type ChildProcess, spawn } from 'node:child_process'
import { DecodingTimeoutError, RemoteImageError } from './remoteSource.ts'

/** @property width of the result, in pixels; never more than the image's own */
export type ResizeJob = {
  readonly content: Uint8Array
  readonly width: number
  readonly maxPixels: number
  /** Of the result, 1 to 100; default 75. */
  readonly quality?: number
}

export type ResizeResult = { readonly content: Uint8Array } | { readonly error: string }

export type ResizeProcessOptions = {
  /** The text of `resizeWorker.ts`, compiled. */
  readonly program: string
  /** Its URL. @throws RemoteImageError where it is not installed */
  readonly findSharp: () => string
  readonly withinMs: number
}

/** Creates what resizes images, one at a time, in a process that ends when nothing is to be done. */
export function createResizeProcess({ program, findSharp, withinMs }: ResizeProcessOptions) {
  let child: ChildProcess | null = null
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  function open(): ChildProcess {
    clearTimeout(idle)
    if (child?.connected) return child
    const args = ['--input-type=module', '--eval', program, findSharp()]
    const opened = spawn(process.execPath, args, {
      // No secret of the server is there to be read. Windows starts nothing without its root.
      env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    // What can't be started is noticed where it is sent something.
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
    resize(job: ResizeJob): Promise<Uint8Array> {
      const running = last.then(() => runJob(job, open(), { withinMs, onLate: close }))
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
    /** Of the process that decodes, if it runs. */
    pid: () => child?.pid ?? null,
  }
}

const idleMs = 30_000

type JobOptions = { readonly withinMs: number; readonly onLate: () => void }

function runJob(
  job: ResizeJob,
  worker: ChildProcess,
  { withinMs, onLate }: JobOptions,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('exit', onExit)
    }
    const fail = (why: string) => {
      end()
      reject(new RemoteImageError(502, `The image can't be decoded: ${why}`))
    }
    const onMessage = (result: ResizeResult) => {
      if ('error' in result) return fail(result.error)
      end()
      resolve(result.content)
    }
    const onExit = () => fail('its process has ended')
    const timer = setTimeout(() => {
      onLate()
      end()
      reject(new DecodingTimeoutError(withinMs))
    }, withinMs)
    worker.on('message', onMessage).on('exit', onExit)
    worker.send(job, (error) => error && fail(error.message))
  })
}
