export { default } from './[lang]/not-found.tsx'
