export { readLiteral } from './font/fontPlugin.ts'
