export { default, metadata } from 'virtual:reference/i18nTexts.mdx'
