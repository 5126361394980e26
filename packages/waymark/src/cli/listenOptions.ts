import { frameworkError } from '../shared/errors.ts'
import { type GivenOptions, parsePort } from './arguments.ts'

/** Where a server listens. */
export type ListenOptions = {
  readonly port: number
  /** Absent: every address. */
  readonly host?: string
}

const defaultPort = 3000

/**
 * Finds out where to listen: the command line wins over the environment.
 * @throws `PORT_VALUE` when PORT is no port
 */
export function listenOptions(
  options: Pick<GivenOptions, 'port' | 'host'>,
  env: Readonly<Record<string, string | undefined>>,
): ListenOptions {
  const host = options.host ?? env.HOST
  return { port: options.port ?? portOf(env), ...(host ? { host } : {}) }
}

function portOf(env: Readonly<Record<string, string | undefined>>): number {
  const value = env.PORT
  if (value === undefined || value === '') return defaultPort
  const port = parsePort(value)
  if (port === null) throw frameworkError('PORT_VALUE', { source: 'PORT', value })
  return port
}
