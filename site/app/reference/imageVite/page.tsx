export { default, metadata } from 'virtual:reference/imageVite.mdx'
