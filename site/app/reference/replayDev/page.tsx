export { default, metadata } from 'virtual:reference/replayDev.mdx'
