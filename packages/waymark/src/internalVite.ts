export { readLiteral } from './font/fontPlugin.ts'
export { assetsPrefix } from './shared/protocol.ts'
