/** A build that a runtime beside Node is to run. */
export type TargetBuild = {
  /** Absolute. */
  readonly buildDir: string
  /** Variables that the app's `.env` files name: the app counts on them. */
  readonly envNames: readonly string[]
}

/**
 * Writes what a runtime beside Node needs, next to a build.
 * @returns the command that serves it, to be run in the folder of the build
 */
export type WriteTarget = (build: TargetBuild) => Promise<string>
