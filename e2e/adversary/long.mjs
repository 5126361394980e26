// Starts a long run by hand: `node e2e/adversary/long.mjs --requests 2000000 --seed 7`.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from '../../scripts/workspace/paths.mjs'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    from: { type: 'string', default: '0' },
  },
})

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/vitest.config.ts']
const run = spawn(process.execPath, [...vitest, 'adversary.test'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    WAYMARK_ADVERSARY_REQUESTS: values.requests,
    WAYMARK_ADVERSARY_SEED: values.seed,
    WAYMARK_ADVERSARY_FROM: values.from,
  },
})
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
