export { default, metadata } from 'virtual:reference/testing.mdx'
