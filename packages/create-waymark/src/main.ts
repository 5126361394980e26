import { run } from './run.ts'

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())

const { env, stdin, stdout, stderr } = process
process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  env,
  stdin,
  stdout,
  stderr,
  signal: stop.signal,
})
