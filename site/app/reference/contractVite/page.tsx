export { default, metadata } from 'virtual:reference/contractVite.mdx'
