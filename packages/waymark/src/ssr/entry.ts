export { renderDocument } from './document.tsx'
