/** Loaded with the first call of a server action, after a call of an old page, and for input before hydration. */
export { createActions } from './callAction.ts'
export { reportToggles, restoreDraft, restoreField } from './restoreInput.ts'
