export { default, generateMetadata } from '../../lab/layout.tsx'
