// Runs a function, as the Node runtime of AWS Lambda does: it loads the handler, and then asks the
// Runtime API for one invocation after the other.
//
// Usage: node runtime.mjs <folder>

import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [host, path] = process.env.AWS_LAMBDA_RUNTIME_API.split(/(?=\/)/)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const streamed = Symbol('streamed')

globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { [streamed]: true }),
}

let handler
try {
  const entry = join(resolve(process.argv[2]), 'index.js')
  handler = (await import(pathToFileURL(entry).href)).handler
} catch (error) {
  await post('/init/error', errorOf(error))
  process.exit(1)
}

for (;;) {
  const next = await responseTo(open('GET', '/invocation/next'))
  const id = next.headers['lambda-runtime-aws-request-id']
  const endsAtMs = Number(next.headers['lambda-runtime-deadline-ms'])
  const event = JSON.parse(await textOf(next))
  const context = {
    callbackWaitsForEmptyEventLoop: true,
    awsRequestId: id,
    getRemainingTimeInMillis: () => endsAtMs - Date.now(),
  }
  try {
    if (handler[streamed]) await runStreamed(id, event, context)
    else await post(`/invocation/${id}/response`, await handler(event, context))
  } catch (error) {
    await post(`/invocation/${id}/error`, errorOf(error))
  }
}

async function runStreamed(id, event, context) {
  const stream = open('POST', `/invocation/${id}/response`, {
    'lambda-runtime-function-response-mode': 'streaming',
    'content-type': 'application/octet-stream',
    trailer: ['Lambda-Runtime-Function-Error-Type', 'Lambda-Runtime-Function-Error-Body'],
  })
  const answered = responseTo(stream).then(textOf)
  stream.setContentType = (type) => stream.setHeader('content-type', type)
  try {
    await handler(event, stream, context)
  } catch (error) {
    const body = Buffer.from(JSON.stringify(errorOf(error))).toString('base64')
    stream.addTrailers({
      'Lambda-Runtime-Function-Error-Type': error.name,
      'Lambda-Runtime-Function-Error-Body': body,
    })
    stream.end()
  }
  await answered
}

async function post(route, value) {
  const body = JSON.stringify(value)
  const sent = open('POST', route, { 'content-length': Buffer.byteLength(body) })
  sent.end(body)
  await textOf(await responseTo(sent))
}

function open(method, route, headers = {}) {
  const sent = request(`http://${host}${path}/2018-06-01/runtime${route}`, {
    method,
    headers,
    agent,
  })
  if (method === 'GET') sent.end()
  return sent
}

async function responseTo(sent) {
  const [response] = await once(sent, 'response')
  return response
}

async function textOf(response) {
  const pieces = []
  for await (const piece of response) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function errorOf({ name, message, stack }) {
  return { errorType: name, errorMessage: message, stackTrace: stack.split('\n') }
}
