export { default, metadata } from 'virtual:reference/testingVite.mdx'
