export { default, metadata } from 'virtual:reference/font.mdx'
