import type { WriteTarget } from './target.ts'
import { writeWorkerd } from './workerd.ts'

/** The runtimes that a build can be for; Node needs nothing beside the build. */
export const targets = { node: null, workerd: writeWorkerd } as const satisfies Readonly<
  Record<string, WriteTarget | null>
>

/** Name of a runtime. */
export type TargetName = keyof typeof targets

/** Tells whether a text names a runtime. */
export function isTarget(name: string): name is TargetName {
  return Object.hasOwn(targets, name)
}
