export { conformance } from './conformanceCommand.ts'
