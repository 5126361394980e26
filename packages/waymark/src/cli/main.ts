import * as nodeModule from 'node:module'

;(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.()

// The allocator of Vite's bundler reads this as it loads: memory is taken when it is used, and given
// back when it is free, which halves what a build holds. What the environment says goes first.
process.env.MIMALLOC_ARENA_EAGER_COMMIT ??= '0'
process.env.MIMALLOC_PURGE_DELAY ??= '0'

const argv = process.argv.slice(2)
const { run } = await import('./runCommand.ts')
process.exitCode = await run(argv)
