export { default, metadata } from 'virtual:reference/operations.mdx'
