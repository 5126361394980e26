export { default, metadata } from 'virtual:reference/live.mdx'
