import * as nodeModule from 'node:module'

// Node >= 22.1 keeps compiled code between starts; older ones have no such function.
;(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.()

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
