export { default } from '../../guide/layout.tsx'
