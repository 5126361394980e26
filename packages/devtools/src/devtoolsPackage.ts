import type { DevtoolsPackage } from 'waymark/plugin/dev'
import { createDevtools } from './createDevtools.ts'
import { explanations } from './explain/explanations.ts'

/** The exports that the dev server loads from this package. */
export const devtoolsPackage: DevtoolsPackage = { createDevtools, explanations }
