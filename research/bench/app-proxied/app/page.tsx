export { StaticPage as default } from '../../pages/static.tsx'
