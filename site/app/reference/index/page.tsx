export { default, metadata } from 'virtual:reference/index.mdx'
