export { default, metadata } from 'virtual:reference/otelVite.mdx'
