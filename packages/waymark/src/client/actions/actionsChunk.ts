// The code for server actions and for restoring input. It is a chunk that browsers load at idle, or when
// they need it.
export { createActions } from './callAction.ts'
export { reportToggles, restoreDraft, restoreField } from './restoreInput.ts'
