import { createJobProcess } from './jobProcess.ts'

/** @property width of the result, in pixels; never more than the image's own */
export type ResizeJob = {
  readonly content: Uint8Array
  readonly width: number
  readonly maxPixels: number
  /** Of the result, 1 to 100; default 75. */
  readonly quality?: number
}

export type ResizeProcessOptions = {
  /** The text of `resizeWorker.ts`, compiled. */
  readonly program: string
  /** Its URL. @throws RemoteImageError where it is not installed */
  readonly findSharp: () => string
  readonly withinMs: number
}

/** Creates what resizes images in a process of its own. */
export function createResizeProcess({ program, findSharp, withinMs }: ResizeProcessOptions) {
  const problem = "The image can't be decoded"
  const { run, ...others } = createJobProcess<ResizeJob>({
    program,
    findModule: findSharp,
    withinMs,
    problem,
  })
  return { resize: run, ...others }
}
