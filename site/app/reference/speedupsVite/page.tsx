export { default, metadata } from 'virtual:reference/speedupsVite.mdx'
