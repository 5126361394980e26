export { default, metadata } from 'virtual:reference/offlineVite.mdx'
