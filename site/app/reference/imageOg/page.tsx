export { default, metadata } from 'virtual:reference/imageOg.mdx'
