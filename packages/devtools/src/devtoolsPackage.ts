import type { DevtoolsPackage } from 'waymark/internal/vite'
import { createDevtools } from './createDevtools.ts'
import { explanations } from './explain/explanations.ts'

/** What the dev server loads of this package. */
export const devtoolsPackage: DevtoolsPackage = { createDevtools, explanations }
