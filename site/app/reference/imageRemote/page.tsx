export { default, metadata } from 'virtual:reference/imageRemote.mdx'
