export { default, metadata } from 'virtual:reference/og.mdx'
