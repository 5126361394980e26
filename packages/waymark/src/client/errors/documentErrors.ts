import { createErrorReports } from './errorReports.ts'

/**
 * Reports the errors of a document. In a build with hooks of packages, this module and what it imports
 * are a chunk of their own, which runs before those hooks and does not fail with them.
 */
export const documentErrors: ReturnType<typeof createErrorReports> = createErrorReports(window)
