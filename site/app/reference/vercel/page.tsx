export { default, metadata } from 'virtual:reference/vercel.mdx'
