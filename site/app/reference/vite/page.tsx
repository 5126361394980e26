export { default, metadata } from 'virtual:reference/vite.mdx'
