export { StaticPage as default } from '../shared/static.tsx'
