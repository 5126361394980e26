import { createErrorReports } from './errorReports.ts'

/**
 * Reports the document's errors. In builds with package hooks, this module is a separate chunk that
 * runs before the hooks, so that an error in a hook can't break error reporting.
 */
export const documentErrors: ReturnType<typeof createErrorReports> = createErrorReports(window)
