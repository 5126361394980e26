export { default, metadata } from 'virtual:reference/cloudflare.mdx'
