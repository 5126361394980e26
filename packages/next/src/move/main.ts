import { runMove } from './runMove.ts'

process.exitCode = await runMove(process.argv.slice(2), {
  cwd: process.cwd(),
  print: (text) => process.stdout.write(`${text}\n`),
})
