export { default, generateMetadata } from '../../guide/page.tsx'
