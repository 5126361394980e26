export { default, metadata } from 'virtual:reference/testingDev.mdx'
