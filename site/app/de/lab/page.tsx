export { default, generateMetadata } from '../../lab/page.tsx'
