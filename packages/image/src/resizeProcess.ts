import { createJobProcess } from './jobProcess.ts'

/** @property width of the resized image in pixels. Images are never enlarged. */
export type ResizeJob = {
  readonly content: Uint8Array
  readonly width: number
  readonly maxPixels: number
  /** Quality of the resized image, from 1 to 100. Default: 75. */
  readonly quality?: number
}

export type ResizeProcessOptions = {
  /** Compiled code of `resizeWorker.ts`. */
  readonly program: string
  /**
   * Returns the URL of sharp.
   * @throws RemoteImageError if sharp isn't installed
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
