export { default, metadata } from 'virtual:reference/cloudflareWorker.mdx'
