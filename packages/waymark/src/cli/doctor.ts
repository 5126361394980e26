import { randomBytes } from 'node:crypto'
import { loadEnvFiles } from '../node/envFiles.ts'
import { readSecrets } from '../shared/doctor.ts'
import type { Command } from './command.ts'
import { createQueryServer } from './doctor/askServer.ts'
import { examine, type Findings } from './doctor/examine.ts'
import type { Terminal } from './terminal.ts'

/** Proves that running servers agree. */
export const doctor: Command = async ({ options, terminal }) => {
  const { urls = [], json, mode = 'production' } = options
  if (urls.length === 0) {
    terminal.fail(
      'No server is named.',
      'Write: waymark doctor http://10.0.0.1:3000 http://10.0.0.2:3000',
    )
    return 2
  }
  loadEnvFiles(process.cwd(), mode, process.env)
  const [secret] = readSecrets(process.env)
  if (secret === undefined) {
    terminal.fail(
      'WAYMARK_SECRET is not set here, and servers tell nothing to strangers.',
      'Set it to the same as on the servers, in the environment or in .env.',
    )
    return 2
  }
  const findings = await examine(urls, createQueryServer(secret), randomBytes(8).toString('hex'))
  const isWell = findings.checks.length > 0 && findings.checks.every(({ isOk }) => isOk)
  if (json) terminal.print(JSON.stringify(toJson(findings, isWell), null, 2))
  else print(findings, terminal)
  return isWell ? 0 : 1
}

function toJson({ servers, checks }: Findings, ok: boolean) {
  return {
    ok,
    servers: servers.map(({ url, told, problem }) => ({
      url,
      problem,
      processes: [...new Set(told.map(({ report }) => report.instance))],
    })),
    checks: checks.map(({ name, isOk, text, details, ms }) => ({
      name,
      ok: isOk,
      text,
      details,
      ms,
    })),
  }
}

function print({ servers, checks }: Findings, { paint, print: line }: Terminal): void {
  const mark = (isOk: boolean) => (isOk ? paint.green('✓') : paint.red('✗'))
  for (const { url, problem } of servers) {
    if (problem !== null) line(`${mark(false)} ${url}: ${problem}`)
  }
  for (const { isOk, text, details } of checks) {
    line(`${mark(isOk)} ${text}`)
    for (const detail of details) line(`    ${detail}`)
  }
}
