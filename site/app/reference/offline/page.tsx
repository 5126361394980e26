export { default, metadata } from 'virtual:reference/offline.mdx'
