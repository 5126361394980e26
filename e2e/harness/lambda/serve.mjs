// Serves a function's folder as AWS does: as a function URL for clients, and as the Runtime API for
// the processes that run the function. Each process runs one invocation at a time, and is stopped
// with SIGSTOP while it waits for the next one.
//
// Usage: node serve.mjs <folder> <port>
// TIMEOUT_MS is the time limit of an invocation, and ENVIRONMENTS the number of processes.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const [folder = '.', port = '3000'] = process.argv.slice(2)
const timeoutMs = Number(process.env.TIMEOUT_MS ?? 15_000)
const maxEnvironments = Number(process.env.ENVIRONMENTS ?? 1)
const runtimeFile = fileURLToPath(new URL('./runtime.mjs', import.meta.url))
const headDelimiter = Buffer.alloc(8)

const environments = new Set()
/** Invocations that wait for a free process. */
const queue = []

function startEnvironment() {
  const id = randomUUID()
  const environment = { id, next: null, invocation: null, ready: deferred() }
  environment.child = spawn(process.execPath, [runtimeFile, folder], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      // The real variable has no path. Here, the path tells the processes apart.
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${runtimeApi.address().port}/${id}`,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  environment.child.once('exit', (code) => {
    environments.delete(environment)
    environment.invocation?.fail()
    runNext()
    environment.ready.reject(new Error(`The function ended with ${code} before its first request.`))
  })
  environments.add(environment)
  return environment
}

/** `Promise.withResolvers()`, which Node 20 doesn't have. */
function deferred() {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}

function runNext() {
  for (const environment of environments) {
    if (queue.length === 0) return
    if (environment.next) start(environment, queue.shift())
  }
  if (queue.length > 0 && environments.size < maxEnvironments) {
    startEnvironment().ready.promise.catch((error) => console.error(error.message))
  }
}

function start(environment, invocation) {
  const { child, next } = environment
  environment.next = null
  environment.invocation = invocation
  invocation.timer = setTimeout(() => {
    console.error(`Task timed out after ${timeoutMs / 1000} seconds`)
    child.kill('SIGKILL')
  }, timeoutMs)
  child.kill('SIGCONT')
  next.writeHead(200, {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': invocation.id,
    'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
  })
  next.end(JSON.stringify(invocation.event))
}

// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
const runtimeApi = createServer(async (req, res) => {
  const [, environmentId, , , ...route] = req.url.split('/')
  const environment = [...environments].find(({ id }) => id === environmentId)
  if (!environment) return res.writeHead(403).end()
  const [kind, requestId, action] = route
  if (kind === 'invocation' && requestId === 'next') {
    const { invocation } = environment
    if (invocation) clearTimeout(invocation.timer)
    environment.invocation = null
    environment.next = res
    environment.child.kill('SIGSTOP')
    environment.ready.resolve()
    return runNext()
  }
  if (kind === 'init') {
    console.error(await textOf(req))
    return res.writeHead(202).end()
  }
  const { invocation } = environment
  if (invocation?.id !== requestId) return res.writeHead(400).end()
  if (action === 'error') {
    console.error(await textOf(req))
    invocation.fail()
  } else if (req.headers['lambda-runtime-function-response-mode'] === 'streaming') {
    await forwardStream(req, invocation)
  } else {
    const { statusCode, headers, cookies, body, isBase64Encoded } = JSON.parse(await textOf(req))
    writeHead(invocation.res, { statusCode, headers, cookies })
    invocation.res.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'))
  }
  res.writeHead(202).end()
})

/**
 * Reads the head, which is JSON that ends with eight zero bytes, and then forwards the body. If the
 * client has left, the rest is read nevertheless, because Lambda doesn't stop the function.
 */
async function forwardStream(req, { res, fail }) {
  let head = Buffer.alloc(0)
  try {
    for await (const piece of req) {
      if (res.headersSent) {
        res.write(piece)
        continue
      }
      head = Buffer.concat([head, piece])
      const end = head.indexOf(headDelimiter)
      if (end < 0) continue
      writeHead(res, JSON.parse(head.subarray(0, end).toString()))
      const start = end + headDelimiter.length
      if (head.length > start) res.write(head.subarray(start))
    }
    if (req.trailers['lambda-runtime-function-error-type']) fail()
    else res.end()
  } catch {
    fail()
  }
}

function writeHead(res, { statusCode, headers, cookies }) {
  res.writeHead(statusCode, { ...headers, 'set-cookie': cookies })
  res.flushHeaders()
}

async function textOf(req) {
  return (await bytesOf(req)).toString()
}

async function bytesOf(req) {
  const pieces = []
  for await (const piece of req) pieces.push(piece)
  return Buffer.concat(pieces)
}

const functionUrl = createServer(async (req, res) => {
  const event = eventOf(req, await bytesOf(req))
  const fail = () => {
    if (res.headersSent) res.destroy()
    else res.writeHead(502).end('Internal Server Error')
  }
  queue.push({ id: randomUUID(), event, res, fail })
  runNext()
})

/** Creates an event in payload format 2.0. */
function eventOf(req, body) {
  const [rawPath, ...query] = req.url.split('?')
  const { cookie, ...headers } = req.headers
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: query.join('?'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value].flat().join(',')]),
    ),
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    requestContext: {
      // In AWS, this is the function's own domain. Here, it is the server's address.
      domainName: req.headers.host,
      stage: '$default',
      http: { method: req.method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7' },
    },
    ...(body.length > 0 ? { body: body.toString('base64') } : {}),
    isBase64Encoded: body.length > 0,
  }
}

runtimeApi.listen(0, '127.0.0.1')
await once(runtimeApi, 'listening')
try {
  await startEnvironment().ready.promise
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

process.once('SIGTERM', () => {
  for (const { child } of environments) child.kill('SIGKILL')
  process.exit(0)
})

functionUrl.listen(Number(port), '127.0.0.1', () => {
  console.log(`Serving http://localhost:${port}`)
})
