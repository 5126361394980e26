export { default, metadata } from 'virtual:reference/fontVite.mdx'
