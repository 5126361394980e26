// Serves `.vercel/output` in the way that Vercel documents. The rules come first, then files and
// functions by their paths, and then the rules for the file that was found. Vercel's own packages
// read the output and check its rules.
//
// Usage: node serve.mjs <output folder> <port>

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deserializeBuildOutput, deserializeLambda } from '@vercel/build-utils'
import { normalizeRoutes } from '@vercel/routing-utils'

const [folder = '.vercel/output', port = '3000'] = process.argv.slice(2)
const outputDir = resolve(folder)
process.env.NODE_ENV = 'production'

const { output, routes: written } = await deserializeBuildOutput({
  outputDir,
  repoRootPath: outputDir,
  deserializeLambda,
  groupLambdas: (lambdas) => lambdas,
  warn(message) {
    throw new Error(message)
  },
})
const { routes, error } = normalizeRoutes(written)
if (error) throw new Error(error.errors.join('\n'))

/** Rules by phase. The first phase has no `handle`. */
const phases = groupPhases(routes)

function groupPhases(all) {
  const grouped = new Map([['first', []]])
  let phase = 'first'
  for (const route of all) {
    if (route.handle) {
      phase = route.handle
      grouped.set(phase, [])
    } else grouped.get(phase).push(route)
  }
  return grouped
}

const functions = new Map()
for (const [path, entry] of Object.entries(output)) {
  if (entry.type !== 'Lambda') continue
  if (entry.launcherType !== 'Nodejs' || !entry.supportsResponseStreaming) {
    throw new Error(`The function ${path} can't stream.`)
  }
  const file = join(outputDir, 'functions', `${path}.func`, entry.handler)
  functions.set(path, (await import(pathToFileURL(file).href)).default)
}

// Vercel's runtime offers the functions of the running request under this symbol.
const contexts = new AsyncLocalStorage()
globalThis[Symbol.for('@vercel/request-context')] = { get: () => contexts.getStore() }

/** Number of promises that the function has passed to `waitUntil` and that haven't settled. */
let pendingWork = 0

const server = createServer((req, res) => {
  const [pathname] = req.url.split('?')
  // For tests. Vercel has no such path.
  if (pathname === '/pending-work') return res.end(String(pendingWork))
  const first = applyRoutes('first', req, pathname)
  const found = find(first.pathname)
  if (found) return respond(req, res, { ...first, found })
  const second = applyRoutes('filesystem', req, first.pathname)
  const later = find(second.pathname)
  const headers = { ...first.headers, ...second.headers }
  if (later) return respond(req, res, { pathname: second.pathname, headers, found: later })
  res.writeHead(404, { 'content-type': 'text/plain' }).end('NOT_FOUND')
})

/** Applies the rules of a phase until one of them names the file or function that responds. */
function applyRoutes(phase, req, pathname) {
  let headers = {}
  for (const route of phases.get(phase) ?? []) {
    const match = new RegExp(route.src, route.caseSensitive ? '' : 'i').exec(pathname)
    if (!match || !matches(route, req)) continue
    headers = { ...headers, ...route.headers }
    if (route.dest) {
      const dest = route.dest.replaceAll(/\$(\d)/g, (_whole, index) => match[index] ?? '')
      return { pathname: dest, headers }
    }
    if (!route.continue) break
  }
  return { pathname, headers }
}

function matches({ methods, has = [], missing = [] }, req) {
  const isThere = ({ type, key }) =>
    type === 'cookie'
      ? (req.headers.cookie ?? '').split('; ').some((each) => each.startsWith(`${key}=`))
      : req.headers[key] !== undefined
  return (!methods || methods.includes(req.method)) && has.every(isThere) && !missing.some(isThere)
}

/** Finds a file or function. A folder's `index.html` also responds for the folder. */
function find(pathname) {
  const path = decoded(pathname.slice(1)).replace(/\/$/, '')
  const name = [path, join(path, 'index.html')].find((each) => Object.hasOwn(output, each))
  return name === undefined ? null : { name, entry: output[name] }
}

function decoded(path) {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function respond(req, res, { pathname, headers, found: { name, entry } }) {
  if (entry.type === 'Lambda') return invoke(req, res, functions.get(name))
  if (req.method !== 'GET' && req.method !== 'HEAD') return res.writeHead(405).end()
  const body = readFileSync(entry.fsPath)
  const etag = `"${createHash('md5').update(body).digest('hex')}"`
  const all = {
    'cache-control': 'public, max-age=0, must-revalidate',
    'content-type': entry.contentType,
    etag,
    ...headers,
    ...applyRoutes('hit', req, pathname).headers,
  }
  if (req.headers['if-none-match'] === etag) return res.writeHead(304, all).end()
  res.writeHead(200, { ...all, 'content-length': body.length })
  res.end(req.method === 'HEAD' ? undefined : body)
}

function invoke(req, res, handler) {
  // Vercel replaces these headers, so a client can't set them.
  Object.assign(req.headers, {
    'x-real-ip': '203.0.113.7',
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-host': req.headers.host,
    'x-forwarded-proto': 'http',
  })
  for (const [header, value] of Object.entries(req.headers)) {
    if (header.startsWith('x-')) req.headersDistinct[header] = [value]
  }
  const waitUntil = (work) => {
    pendingWork += 1
    const done = () => {
      pendingWork -= 1
    }
    work.catch((thrown) => console.error(thrown)).then(done)
  }
  contexts.run({ waitUntil }, () => handler(req, res))
}

process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})

server.listen(Number(port), '127.0.0.1', () => console.log(`Serving http://localhost:${port}`))
