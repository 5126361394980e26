export { default, metadata } from 'virtual:reference/image.mdx'
