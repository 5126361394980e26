export { type LambdaOptions, lambda } from './writeFunction.ts'
