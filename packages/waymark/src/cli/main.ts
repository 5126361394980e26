import * as nodeModule from 'node:module'

;(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.()

const { run } = await import('./runCommand.ts')
process.exitCode = await run(process.argv.slice(2))
