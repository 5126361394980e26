import * as nodeModule from 'node:module'

;(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.()

// Vite's bundler reads these when it loads. Allocating memory on demand halves the memory use of a
// build. Values from the environment take precedence.
process.env.MIMALLOC_ARENA_EAGER_COMMIT ??= '0'
process.env.MIMALLOC_PURGE_DELAY ??= '0'

const { run } = await import('./runCommand.ts')
process.exitCode = await run(process.argv.slice(2))
