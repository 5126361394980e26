export { default, metadata } from 'virtual:reference/replayVite.mdx'
