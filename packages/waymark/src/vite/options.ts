import path from 'node:path'

/** Options of the `waymark()` plugin. */
export type WaymarkOptions = {
  /** Folder of the routes, from the project's root; default `app`. */
  readonly appDir?: string
}

/** The options as the rest of the build sees them: complete and absolute. */
export type ResolvedOptions = {
  readonly root: string
  readonly appDir: string
  /** Folder that the build writes and `start` serves. */
  readonly buildDir: string
}

/**
 * Completes the options.
 * @param root the project's root, absolute
 */
export function resolveOptions(root: string, options: WaymarkOptions): ResolvedOptions {
  return Object.freeze({
    root,
    appDir: path.resolve(root, options.appDir ?? 'app'),
    buildDir: path.join(root, '.waymark'),
  })
}
