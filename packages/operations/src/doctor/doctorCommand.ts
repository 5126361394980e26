import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type CommandInput, defineCommand } from 'waymark/plugin'
import {
  buildLayout,
  envFileNames,
  loadEnvFiles,
  parseSecrets,
  sharedOptions,
} from 'waymark/plugin/node'
import { isSame } from '../shared/isSame.ts'
import {
  examine,
  type Findings,
  type InsideTools,
  type NamedVariable,
  processesOf,
  type QueryServer,
} from './doctorChecks.ts'
import { below, browserEncodings, send, sendTimed } from './exchange.ts'
import { assetUrl, lookAt, openData, openPage } from './pages.ts'
import { printable } from './printable.ts'
import {
  type DoctorReport,
  doctorHeader,
  doctorPath,
  fingerprint,
  proveAnswer,
  streamedPieces,
  validForMs,
  writeQuestion,
} from './proof.ts'
import type { OpenStream } from './streams.ts'

const { json, mode } = sharedOptions

/** Checks a running deployment. */
export const doctor = defineCommand({
  details:
    'Checks pages, files and deploys from outside. With the servers’ WAYMARK_SECRET, it also compares their builds, keys, variables, clocks, caches and assets, and finds proxies that hold back streams.',
  operands: '<url...>',
  options: {
    'assets-at': {
      value: 'url',
      parse: (text) => (isHttpUrl(text) ? text : null),
      valid: 'Write https://cdn.example.com',
      text: 'Origin of the host or CDN from which browsers get the assets.',
    },
    json,
    mode,
  },
  mode: 'production',
  async run({ options, terminal }) {
    const { operands: urls = [], json, mode = 'production', 'assets-at': assetsAt = null } = options
    if (urls.length === 0) {
      const example = 'Add them: waymark doctor http://10.0.0.1:3000 http://10.0.0.2:3000'
      terminal.fail('The URLs of the servers are missing.', example)
      return 2
    }
    const wrong = urls.find((url) => !isHttpUrl(url))
    if (wrong !== undefined) {
      terminal.fail(`${wrong} is not the URL of a server.`, 'Write http://10.0.0.1:3000')
      return 2
    }
    const root = process.cwd()
    const variables = await readVariables(root, mode)
    loadEnvFiles(root, mode, process.env)
    const secret = parseSecrets(process.env)[0] ?? readBuildSecret(root)
    const tools = {
      inside: secret === null ? null : createInsideTools(secret),
      outside: { openPage, openData, lookAt, assetUrl },
      assetsAt,
      variables,
    }
    const findings = await examine(urls, tools, randomBytes(8).toString('hex'))
    const { servers, checks } = findings
    const ok = servers.every(({ problem }) => problem === null) && checks.every(({ isOk }) => isOk)
    if (json) terminal.print(printableJson(toJson(findings, ok)))
    else print(findings, secret, terminal)
    return ok ? 0 : 1
  },
})

/** True for an HTTP URL, which may contain a path. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^/]/.test(text) && URL.canParse(text)
}

/** Reads the secret of the build in a folder, which its server uses without `WAYMARK_SECRET`. */
function readBuildSecret(root: string): string | null {
  try {
    return readFileSync(join(root, buildLayout.folder, buildLayout.secret), 'utf8').trim()
  } catch {
    // There is no build here, or it doesn't contain a secret.
    return null
  }
}

// Names that mean something only on this machine, or that the build replaces with values.
const onlyHere =
  /^(?:PUBLIC_|VITE_|NODE_ENV$|PORT$|HOST$|WAYMARK_(?:SECRET$|BROWSER$|REPLAY_COOKIES$))/

/** Lists the variables of an app's `.env` files, and of `.env.example`, which isn't loaded. */
async function readVariables(root: string, mode: string): Promise<NamedVariable[]> {
  const files = new Map<string, string>()
  for (const file of [...envFileNames(mode), '.env.example']) {
    for (const name of namesIn(join(root, file))) if (!files.has(name)) files.set(name, file)
  }
  return Promise.all(
    [...files]
      .filter(([name]) => !onlyHere.test(name))
      .map(async ([name, file]) => ({ name, file, fingerprint: await fingerprint(name) })),
  )
}

function namesIn(file: string): string[] {
  try {
    return Object.keys(parseEnv(readFileSync(file, 'utf8')))
  } catch {
    // Most of these files don't exist.
    return []
  }
}

/** Escapes the control characters that JSON allows in strings. */
function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function toJson({ servers, checks, skipped }: Findings, ok: boolean) {
  return {
    ok,
    servers: servers.map((server) => {
      const { url, problem } = server
      return { url, problem, processes: processesOf([server]) }
    }),
    checks: checks.map(({ isOk, ...check }) => ({ ...check, ok: isOk })),
    skipped,
  }
}

function print(
  { servers, checks, skipped }: Findings,
  secret: string | null,
  { paint, print: printLine }: CommandInput['terminal'],
): void {
  const line = (start: string, text: string) => printLine(start + printable(text))
  const mark = (isOk: boolean) => (isOk ? paint.green('✓') : paint.red('✗'))
  for (const { url, problem } of servers) {
    if (problem !== null) line(`${mark(false)} `, `${url}: ${problem}`)
  }
  for (const { isOk, text, details } of checks) {
    line(`${mark(isOk)} `, text)
    for (const detail of details) line('    ', detail)
  }
  if (skipped.length === 0) return
  line('– skipped: ', skipped.join(', '))
  line('    ', secret === null ? noSecretHere : noAnswer)
}

const noSecretHere =
  'Servers answer these checks only if they know that you have their secret. Set WAYMARK_SECRET here to the same value as on the servers, or run the command in the folder of the build.'
const noAnswer = 'These checks need the answers of all servers.'

/** @param secret secret that authenticates the client to the servers */
function createInsideTools(secret: string): InsideTools {
  return { query: createQueryServer(secret), openStream: createOpenStream(secret) }
}

function createQueryServer(secret: string): QueryServer {
  return async (url, question, key) => {
    const nonce = createNonce()
    const header = await writeQuestion({ question, key, nonce }, secret, Date.now())
    const sentAtMs = Date.now()
    const { status, headers, body } = await send(below(url, doctorPath), {
      method: 'POST',
      headers: { [doctorHeader]: header, 'content-length': 0 },
    })
    const receivedAtMs = Date.now()
    if (status !== 200) throw new Error(explainRefusal(status, headers.date, receivedAtMs))
    if (!isSame(String(headers[doctorHeader] ?? ''), await proveAnswer(body, nonce, secret))) {
      throw new Error(
        'the signature of its response is wrong. A proxy may have changed the response',
      )
    }
    return { report: JSON.parse(body) as DoctorReport, sentAtMs, receivedAtMs }
  }
}

function createNonce(): string {
  return randomBytes(12).toString('hex')
}

/** @param date value of the response's header */
export function explainRefusal(status: number, date: string | undefined, nowMs: number): string {
  const start = `it responded with ${status} to a question that only servers with the same secret answer.`
  const aheadMs = date === undefined ? 0 : Date.parse(date) - nowMs
  if (Math.abs(aheadMs) > validForMs) {
    const minutes = Math.round(Math.abs(aheadMs) / 60_000)
    return `${start} Its clock is ${minutes} minutes ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's clock, and questions are valid for ten minutes. Set both clocks`
  }
  if (status === 400) {
    return `${start} security.allowedHosts may not contain this host. Use a host that it contains`
  }
  return `${start} Set WAYMARK_SECRET on that server to the same value as here and restart it, and check that its build lists operations() in vite.config.ts`
}

function createOpenStream(secret: string): OpenStream {
  return async (url, kind, isCompressible) => {
    const nonce = createNonce()
    const header = await writeQuestion({ question: kind, key: nonce, nonce }, secret, Date.now())
    try {
      const { status, headers, afterMs } = await sendTimed(below(url, doctorPath), {
        headers: {
          [doctorHeader]: header,
          'accept-encoding': isCompressible ? browserEncodings : 'identity',
        },
      })
      const [first, last] = [streamedPieces[0], streamedPieces.at(-1) ?? ''].map(afterMs)
      return {
        spreadMs: typeof first === 'number' && typeof last === 'number' ? last - first : null,
        status,
        server: String(headers.server ?? ''),
        encoding: headers['content-encoding'] ?? null,
      }
    } catch {
      // The connection was cut or the response couldn't be decompressed.
      return { spreadMs: null, status: 0, server: '', encoding: null }
    }
  }
}
