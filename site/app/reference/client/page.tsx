export { default, metadata } from 'virtual:reference/client.mdx'
