export { default, metadata } from 'virtual:reference/i18nServer.mdx'
