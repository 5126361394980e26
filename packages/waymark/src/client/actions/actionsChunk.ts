/** What is loaded with the first call of a server action, or after one that an old page made. */
export { createActions } from './callAction.ts'
export { restoreDraft } from './restoreDraft.ts'
