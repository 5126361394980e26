export { Layout as default } from '../../pages/layout.tsx'
