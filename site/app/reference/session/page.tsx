export { default, metadata } from 'virtual:reference/session.mdx'
