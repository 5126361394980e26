import { identityPath, parseIdentity } from '../node/serverIdentity.ts'
import { type FrameworkError, frameworkError } from '../shared/errors.ts'
import { reservedPaths } from '../wire/reservedPaths.ts'

// Without a static import, as in httpServer.ts.
const { get } = process.getBuiltinModule('node:http')

const respondWithinMs = 1_000
const maxBytes = 8_192

/**
 * Creates the error for a port that is in use. Asks the program that uses the port if it is Waymark.
 *
 * @param root absolute path of the app's folder
 */
export async function portInUse(port: number, root: string): Promise<FrameworkError> {
  const dev = parseIdentity((await readText(port, identityPath)) ?? '')
  if (dev?.root === root) return frameworkError('ALREADY_RUNNING', { port, pid: dev.pid })
  if (dev) {
    const user = `the dev server of ${JSON.stringify(dev.root)}, process ${dev.pid}`
    return frameworkError('PORT_IN_USE', { port, user })
  }
  const health = await readText(port, `${reservedPaths.health}live`)
  const isWaymark = health?.startsWith('{"status":"live"') === true
  const user = isWaymark ? 'a server that was started with waymark start' : 'another program'
  return frameworkError('PORT_IN_USE', { port, user })
}

/** @returns `null` if the program doesn't respond with status 200 in time */
function readText(port: number, path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(respondWithinMs)
    const request = get({ host: 'localhost', port, path, signal, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxBytes) request.destroy()
      })
      response.on('end', () => resolve(response.statusCode === 200 ? text : null))
      response.on('close', () => resolve(null))
    })
    request.on('error', () => resolve(null))
  })
}
