export { default, metadata } from 'virtual:reference/server.mdx'
