export { default, metadata } from 'virtual:reference/arrivalsVite.mdx'
