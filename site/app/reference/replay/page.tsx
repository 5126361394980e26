export { default, metadata } from 'virtual:reference/replay.mdx'
