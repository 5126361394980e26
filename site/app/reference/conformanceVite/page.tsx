export { default, metadata } from 'virtual:reference/conformanceVite.mdx'
