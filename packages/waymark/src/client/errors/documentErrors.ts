import { createErrorReports } from './errorReports.ts'

/**
 * Reports the errors of a document. In builds with package hooks, this module and its imports are a
 * separate chunk. It runs before the hooks, so an error in a hook doesn't break it.
 */
export const documentErrors: ReturnType<typeof createErrorReports> = createErrorReports(window)
