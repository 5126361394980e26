/** What is loaded with the first call of a server action, after one that an old page made, and for early input. */
export { createActions } from './callAction.ts'
export { reportToggles, restoreDraft, restoreField } from './restoreInput.ts'
