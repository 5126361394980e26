export { renderDocument } from './document.ts'
