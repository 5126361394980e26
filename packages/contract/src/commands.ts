export { contract } from './contractCommand.ts'
