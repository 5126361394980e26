import { createEventCounter } from './eventCounter.ts'

export const onEvent = createEventCounter(window, () => import('./recorder.ts'))
