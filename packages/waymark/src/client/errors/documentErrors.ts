import { createErrorReports } from './errorReports.ts'

/**
 * Reports the errors of a document. In builds with package hooks, this module and its imports are a
 * separate chunk. This chunk runs before the hooks, so that an error in a hook doesn't break error
 * reporting.
 */
export const documentErrors: ReturnType<typeof createErrorReports> = createErrorReports(window)
