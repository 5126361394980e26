import type { BuildManifest } from '../../shared/build.ts'

/** Hears how a build goes. */
export type BuildReporter = {
  /** A step begins, and the one before is done. */
  step(text: string): void
  /** How far the step is. */
  progress(text: string): void
  /** What the app's own code prints while it is rendered. */
  output(text: string): void
  /** The build is done. */
  finish(facts: BuildManifest): void
}
