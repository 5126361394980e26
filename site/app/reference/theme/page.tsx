export { default, metadata } from 'virtual:reference/theme.mdx'
