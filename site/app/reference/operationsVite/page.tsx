export { default, metadata } from 'virtual:reference/operationsVite.mdx'
