export { renderDocument } from './document.ts'
export { renderShell, resumeDocument } from './partialDocument.tsx'
