import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createRequire } from 'node:module'
import path, { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import {
  assetsPrefix,
  type CommandInput,
  type DoctorReport,
  doctorHeader,
  doctorPath,
  findPackage,
  givenSecrets,
  isSame,
  loadEnvFiles,
  type OptionTable,
  type PackageCommand,
  type PackageOptions,
  proveAnswer,
  sharedOptions,
  writeQuestion,
} from 'waymark/internal/node'
import { httpUrl } from '../options.ts'
import {
  type Check,
  examine,
  type Findings,
  processesOf,
  type QueryServer,
} from './doctorChecks.ts'

const { json, mode } = sharedOptions

const options = {
  'assets-at': {
    ...httpUrl,
    text: 'Origin of the host or CDN from which browsers get the assets.',
  },
  json,
  mode,
} as const satisfies OptionTable

type Input = CommandInput<PackageOptions<typeof options>>
type Terminal = Input['terminal']

/** Checks that running servers agree; without servers, that the app has its packages. */
export const doctor: PackageCommand<typeof options> = {
  details: `Compares build, keys, actions, clocks and cache of servers that share a WAYMARK_SECRET. Without a
URL: checks that the app in the working directory has the packages for its images, cards and fonts.`,
  operands: '[url...]',
  options,
  mode: 'production',
  run,
}

async function run({ options, terminal }: Input): Promise<number> {
  const { operands: urls = [], json, mode = 'production', 'assets-at': assetsAt = null } = options
  const wrong = urls.find((url) => httpUrl.parse(url) === null)
  if (wrong !== undefined) {
    terminal.fail(`${wrong} is not the URL of a server.`, 'Write http://10.0.0.1:3000')
    return 2
  }
  if (urls.length === 0) return examineApp(process.cwd(), json === true, terminal)
  loadEnvFiles(process.cwd(), mode, process.env)
  const [secret] = givenSecrets(process.env)
  if (secret === undefined) {
    terminal.fail(
      'WAYMARK_SECRET is not set here. Servers only respond to those who know it.',
      'Set it to the value that the servers have, in the environment or in .env.',
    )
    return 2
  }
  const tools = { query: createQueryServer(secret), hasAsset, filesOfPage, statusOf, assetsAt }
  const findings = await examine(urls, tools, randomBytes(8).toString('hex'))
  const ok = findings.checks.length > 0 && findings.checks.every(({ isOk }) => isOk)
  if (json) terminal.printJson(toJson(findings, ok))
  else print(findings, terminal)
  return ok ? 0 : 1
}

async function examineApp(root: string, json: boolean, terminal: Terminal): Promise<number> {
  if (!existsSync(join(root, 'package.json'))) {
    const example = 'Write: waymark doctor http://10.0.0.1:3000 http://10.0.0.2:3000'
    terminal.fail('The URLs of the servers are missing, and this is no app’s folder.', example)
    return 2
  }
  const findings = { servers: [], checks: await checkPackages(root) }
  const ok = findings.checks.every(({ isOk }) => isOk)
  if (json) terminal.printJson(toJson(findings, ok))
  else if (findings.checks.length > 0) print(findings, terminal)
  else terminal.print('The app uses no images, cards or fonts that need packages.')
  return ok ? 0 : 1
}

function toJson({ servers, checks }: Findings, ok: boolean) {
  return {
    ok,
    servers: servers.map((server) => {
      const { url, problem } = server
      return { url, problem, processes: processesOf([server]) }
    }),
    checks: checks.map(({ isOk, ...check }) => ({ ...check, ok: isOk })),
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

const timeoutMs = 10_000

// A page may stream for as long as it likes.
const maxExchangeMs = 30_000

/** @param secret proves the sender to the servers */
function createQueryServer(secret: string): QueryServer {
  return async (url, question, key) => {
    const nonce = randomBytes(12).toString('hex')
    const header = await writeQuestion({ question, key, nonce }, secret, Date.now())
    const sentAtMs = Date.now()
    const { status, proof, body } = await send(new URL(`${url.replace(/\/$/, '')}${doctorPath}`), {
      method: 'POST',
      headers: { [doctorHeader]: header, 'content-length': 0 },
    })
    const receivedAtMs = Date.now()
    if (status !== 200) {
      throw new Error(
        `it responded with ${status}. It has no WAYMARK_SECRET or another one, its clock is ten minutes off, or it is not a Waymark app`,
      )
    }
    if (!isSame(proof, await proveAnswer(body, nonce, secret))) {
      throw new Error('the signature of its response is wrong: a proxy may have changed it')
    }
    return { report: JSON.parse(body) as DoctorReport, sentAtMs, receivedAtMs }
  }
}

async function hasAsset(origin: string, name: string): Promise<boolean> {
  return (await statusOf(`${origin.replace(/\/$/, '')}${assetsPrefix}${name}`)) === 200
}

async function statusOf(url: string): Promise<number | null> {
  try {
    return (await send(new URL(url), { method: 'HEAD' })).status
  } catch {
    // An unreachable host has no files.
    return null
  }
}

const maxRedirects = 3

async function filesOfPage(server: string): Promise<readonly string[] | null> {
  let url = new URL(`${server.replace(/\/$/, '')}/`)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await send(url, { headers: { accept: 'text/html' } }).catch(() => null)
    if (response === null) return null
    const { status, location, body } = response
    if (status < 300 || status >= 400 || location === '') return namedFiles(body, url)
    const target = new URL(location, url)
    // Another site is not what this check is about.
    if (target.origin !== url.origin) break
    url = target
  }
  return []
}

/** @returns the hashed files that attributes of a document name, as URLs */
export function namedFiles(html: string, documentUrl: URL): string[] {
  const attribute = /\b(?:src|href)="([^"<>\s]+)"/g
  const urls = [...html.matchAll(attribute)].flatMap(([, reference = '']) => {
    if (!reference.includes(assetsPrefix)) return []
    const text = reference.replaceAll('&amp;', '&')
    if (!URL.canParse(text, documentUrl)) return []
    const url = new URL(text, documentUrl)
    return /^https?:$/.test(url.protocol) ? [url.href] : []
  })
  return [...new Set(urls)]
}

// `fetch` blocks some ports. Without an agent each request opens a connection, which may reach
// another process.
async function send(url: URL, options: RequestOptions) {
  const sendTo = url.protocol === 'https:' ? requestHttps : requestHttp
  const signal = AbortSignal.timeout(maxExchangeMs)
  const request = sendTo(url, { ...options, agent: false, timeout: timeoutMs, signal })
  request.on('timeout', () =>
    request.destroy(new Error(`it did not respond within ${timeoutMs / 1000} s`)),
  )
  // An error after the response has begun also rejects the body.
  request.on('error', () => {})
  request.end()
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const proof = String(response.headers[doctorHeader] ?? '')
    const location = response.headers.location ?? ''
    return { status: response.statusCode ?? 0, location, proof, body: await text(response) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code ? new Error(`it can't be reached (${code})`) : error
  }
}

const uses = {
  images: /\?image(?:&avif)?['"]/,
  elements: /['"]@waymark\/image['"]/,
  onServer: /['"]@waymark\/image\/(?:remote|og)['"]/,
} as const
const fontPackage = /\bpackage:\s*['"](@fontsource[\w-]*\/[\w-]+)['"]/g

/** Checks for the optional packages that the app's files need: images, cards, fonts. */
export async function checkPackages(root: string): Promise<Check[]> {
  const texts = readSources(root)
  const isUsed = (use: RegExp) => texts.some((text) => use.test(text))
  const checks: Check[] = []
  if (Object.values(uses).some(isUsed)) checks.push(await checkImages(root, isUsed(uses.onServer)))
  const fonts = texts.flatMap((text) =>
    [...text.matchAll(fontPackage)].map(([, name = '']) => name),
  )
  for (const name of new Set(fonts)) checks.push(checkPackage(root, name, 'has a font'))
  return checks
}

async function checkImages(root: string, isOnServer: boolean): Promise<Check> {
  const name = '@waymark/image'
  const lacks = (text: string): Check => ({ name: 'packages', isOk: false, text, details: [] })
  const file = findPackage(`${name}/vite`, root)
  if (file === null) return lacks(`${name} is not installed. Run: npm install ${name}`)
  try {
    await (await import(pathToFileURL(file).href)).loadSharp()
  } catch (error) {
    const [why] = String(error).split('\n')
    return lacks(`${name} can't load sharp (${why}). Run npm install on this machine.`)
  }
  const { devDependencies = {} } = readManifest(root)
  if (isOnServer && name in devDependencies) {
    return lacks(
      `${name} is a devDependency, and remoteImages() and ImageResponse need it where the app runs. Run: npm install ${name}`,
    )
  }
  return { name: 'packages', isOk: true, text: `${name} is installed`, details: [] }
}

function checkPackage(root: string, name: string, does: string): Check {
  const paths = createRequire(path.join(root, 'package.json')).resolve.paths(name) ?? []
  const isOk = paths.some((folder) => existsSync(path.join(folder, name, 'package.json')))
  return isOk
    ? { name: 'packages', isOk, text: `${name} is installed`, details: [] }
    : {
        name: 'packages',
        isOk,
        text: `${name} ${does}, and is not installed. Run: npm install ${name}`,
        details: [],
      }
}

function readManifest(root: string): { devDependencies?: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
}

/** Source files, without built, installed and hidden ones. */
function readSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    if (name.startsWith('.') || ['node_modules', 'dist', 'out'].includes(name)) return []
    const file = path.join(folder, name)
    if (entry.isDirectory()) return readSources(file)
    return entry.isFile() && /\.(?:[cm]?[jt]sx?|mdx)$/.test(name)
      ? [readFileSync(file, 'utf8')]
      : []
  })
}
