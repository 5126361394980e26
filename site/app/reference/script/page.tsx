export { default, metadata } from 'virtual:reference/script.mdx'
