// Entry of the chunk with the code for server actions and for restoring input. Browsers load the
// chunk when they are idle, or as soon as an action is called.
export { createActions } from './callAction.ts'
export { reportToggles, restoreDraft, restoreField } from './restoreInput.ts'
