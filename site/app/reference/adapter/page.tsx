export { default, metadata } from 'virtual:reference/adapter.mdx'
