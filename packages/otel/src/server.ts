import type { CreateServerPart } from 'waymark/plugin'
import { createSpanObserver } from './spanObserver.ts'

/** Server part of `@waymark/otel`. */
export const traceRequests: CreateServerPart<{ maxSteps: number }> = (_app, { maxSteps }) => ({
  observer: createSpanObserver({ maxSteps }),
})
