import * as nodeModule from 'node:module'

;(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.()

// Read by the allocator of Vite's bundler when it loads: allocating memory on demand halves the
// memory of a build. The environment's value wins.
process.env.MIMALLOC_ARENA_EAGER_COMMIT ??= '0'
process.env.MIMALLOC_PURGE_DELAY ??= '0'

const { run } = await import('./runCommand.ts')
process.exitCode = await run(process.argv.slice(2))
