export { default, metadata } from 'virtual:reference/devtoolsVite.mdx'
