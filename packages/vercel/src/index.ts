export { type VercelOptions, vercel } from './writeOutput.ts'
