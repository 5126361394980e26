export { default, metadata } from 'virtual:reference/testingBuild.mdx'
