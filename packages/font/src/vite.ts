export { fonts, readLiteral } from './fontPlugin.ts'
