import { createJobProcess } from './jobProcess.ts'

/** @property width of the result in pixels; the image is never enlarged */
export type ResizeJob = {
  readonly content: Uint8Array
  readonly width: number
  readonly maxPixels: number
  /** Quality of the result, 1 to 100. Default: 75. */
  readonly quality?: number
}

export type ResizeProcessOptions = {
  /** Compiled text of `resizeWorker.ts`. */
  readonly program: string
  /**
   * Returns the URL of sharp.
   * @throws RemoteImageError if sharp is not installed
   */
  readonly findSharp: () => string
  readonly withinMs: number
}

/** Creates a runner that resizes images in a separate process. */
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
